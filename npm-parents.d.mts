export function watchNpmParents(): void
