export function applyNodeSettings(cacheFolder?: string): void
