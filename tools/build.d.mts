export function buildIfStale(): Promise<void>
export function bundleThreads(folder: string): Promise<string[]>
