/**
 * Writes sbom.cdx.json, a CycloneDX list of everything that the package contains, so that scanners find known
 * vulnerabilities in it: the JavaScript of the bundles, which package.json doesn't name, and the native packages that are
 * installed with it. npm makes the list from the lockfile. Called by `npm pack`, after the build.
 */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.dirname(import.meta.dirname)
const MAX_BYTES = 100_000_000

/** The list for all packages, or only for those that npm installs with ours. */
function listPackages(...options) {
  const { npm_execpath: npmFile = '' } = process.env
  const isScript = npmFile.endsWith('npm-cli.js')
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx', '--sbom-type=application', ...options]
  const text = execFileSync(isScript ? process.execPath : 'npm', isScript ? [npmFile, ...args] : args, {
    cwd: root,
    maxBuffer: MAX_BYTES,
    stdio: ['ignore', 'pipe', 'inherit'],
    shell: !isScript && process.platform === 'win32',
  })
  return JSON.parse(text.toString())
}

const bundled = ['server', 'dashboard'].flatMap((part) =>
  JSON.parse(readFileSync(path.join(root, part, 'dist/packages.json'), 'utf8')),
)
const sbom = listPackages()
const installed = listPackages('--omit=dev').components.filter(({ purl }) => !purl.includes('posthorn'))
const shipped = new Set([...bundled, ...installed.map((component) => component['bom-ref'])])
const own = sbom.metadata.component['bom-ref']

const missing = bundled.filter((name) => !sbom.components.some((component) => component['bom-ref'] === name))
if (missing.length > 0) throw new Error(`The lockfile doesn't contain ${missing.join(', ')}, which the build contains.`)

sbom.metadata.component.name = 'posthorn'
sbom.components = sbom.components.filter((component) => shipped.has(component['bom-ref']))
for (const component of sbom.components) component.scope = 'required'
sbom.dependencies = [
  { ref: own, dependsOn: [...shipped].sort() },
  ...sbom.dependencies
    .filter(({ ref }) => shipped.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((name) => shipped.has(name)) })),
]
writeFileSync(path.join(root, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`)
