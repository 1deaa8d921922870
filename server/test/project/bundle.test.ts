/**
 * What is loaded on demand must work in the built service too. esbuild gives a CommonJS package that is imported
 * dynamically only a default export, while in the sources it has names as well, so other tests wouldn't notice.
 */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'

const DIST = path.join(import.meta.dirname, '../../dist')
const codeOf = (file: string) => readFileSync(path.join(DIST, file), 'utf8')

/** `const { a, b: c } = await import("./x.js")` → x.js and the names a, b. */
const imports = readdirSync(DIST)
  .filter((file) => file.endsWith('.js'))
  .flatMap((file) =>
    [...codeOf(file).matchAll(/(?:const (?:\{([^}]*)\}|\w+) = await )import\("\.\/([^"]+)"\)/g)].map(
      ([, names, chunk]) => ({
        chunk: chunk!,
        names: names?.split(',').map((name) => name.split(':')[0]!.trim()) ?? ['*'],
      }),
    ),
  )

describe('the built service', () => {
  it('loads some modules on demand', () => {
    expect(imports.length).toBeGreaterThan(5)
  })

  it.each(imports)('finds $names in $chunk', ({ chunk, names }) => {
    const isCommonJs = /^export default require_\w+\(\);$/m.test(codeOf(chunk))
    if (isCommonJs) expect(names).toEqual(['default'])
  })
})
