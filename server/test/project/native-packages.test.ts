/** The sentences for machines that can't run Posthorn, or where an install left out a native package. */
import { describe, expect, it } from 'vitest'
import { explainMissingPackage, explainUnsupported } from '../../../tools/native-packages.mjs'

describe('explainUnsupported', () => {
  it.each([
    ['20.19.0', 'linux-x64'],
    ['20.20.2', 'linux-arm64'],
    ['22.12.0', 'darwin-arm64'],
    ['24.1.0', 'darwin-x64'],
    ['26.0.0', 'win32-x64'],
  ])('accepts Node.js %s on %s', (version, machine) => {
    expect(explainUnsupported(version, machine)).toBeUndefined()
  })

  it.each(['18.20.0', '20.18.3', '16.0.0', '21.7.0', '22.11.0', '23.5.0'])(
    'names the versions that work when Node.js is %s',
    (version) => {
      expect(explainUnsupported(version, 'linux-x64')).toBe(
        `Posthorn requires Node.js 20.19, 22.12, or 24 or newer; this is ${version}.`,
      )
    },
  )

  it.each(['freebsd-x64', 'linux-arm', 'linux-riscv64', 'win32-arm64', 'sunos-x64'])(
    'names the supported machines on %s',
    (machine) => {
      expect(explainUnsupported('22.12.0', machine)).toBe(
        `Posthorn runs on Linux and macOS (x64 and arm64) and on Windows (x64); this is ${machine}.`,
      )
    },
  )
})

describe('explainMissingPackage', () => {
  const machine = `${process.platform}-${process.arch}`
  const sentence = (name: string) =>
    `Posthorn can't start: the package ${name}, which this machine (${machine}) requires, is not installed. ` +
    'Reinstall without --omit=optional.'

  it.each([
    [
      'esbuild',
      'The package "@esbuild/linux-arm64" could not be found, and is needed by esbuild.',
      '@esbuild/linux-arm64',
    ],
    ['lightningcss', "Cannot find module '../lightningcss.darwin-arm64.node'", 'lightningcss-darwin-arm64'],
    ['argon2', "Cannot find module '@node-rs/argon2-linux-x64-gnu'", '@node-rs/argon2-linux-x64-gnu'],
  ])('names the package that %s requires', (_library, message, name) => {
    expect(explainMissingPackage(new Error(message))).toBe(sentence(name))
  })

  it('finds the name in the causes of the error', () => {
    const cause = new Error("Cannot find module '@rolldown/binding-linux-arm64-gnu'\nRequire stack: …")
    const error = new Error('Cannot find native binding. npm has a bug related to optional dependencies', { cause })
    expect(explainMissingPackage(error)).toBe(sentence('@rolldown/binding-linux-arm64-gnu'))
  })

  it('leaves other errors unchanged', () => {
    expect(explainMissingPackage(new Error("Cannot find module './typo.js'"))).toBeUndefined()
    expect(explainMissingPackage(new TypeError('x is not a function on linux-x64'))).toBeUndefined()
    expect(explainMissingPackage('a string')).toBeUndefined()
  })
})
