/**
 * The name of a stored image: the original name as far as it is valid in a URL, with the extension of its actual type.
 */

const LENGTH_MAX = 60

export function fileNameFor(given: string, extension: string): string {
  const base = given.replace(/^.*[\\/]/s, '').replace(/\.[^.]*$/, '')
  const plain = base
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LENGTH_MAX)
    .replaceAll(/^-+|-+$/g, '')
  return `${plain || 'image'}.${extension}`
}
