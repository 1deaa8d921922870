/** The name of a copy: the original's name with a suffix, shortened if it would be too long. */
const MARK = ' (Copy)'

export function copyName(name: string, max: number): string {
  const room = max - MARK.length
  if (name.length <= room) return name + MARK
  const cutsPair = /[\ud800-\udbff]/.test(name.charAt(room - 1))
  return name.slice(0, cutsPair ? room - 1 : room) + MARK
}
