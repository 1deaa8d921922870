/** The two functions that the command line uses; the package has no types. */
declare module 'js-yaml' {
  export function load(text: string): unknown
  export function dump(value: unknown, options?: { lineWidth?: number; noRefs?: boolean }): string
}
