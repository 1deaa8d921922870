export function explainUnsupported(nodeVersion?: string, platform?: string): string | undefined
export function explainMissingPackage(error: unknown): string | undefined
