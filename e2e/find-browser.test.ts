import { describe, expect, it } from 'vitest'
import { findBrowser, GLIBC_LOADER, type Machine } from './find-browser.ts'

interface Case extends Omit<Machine, 'isExecutable' | 'env'> {
  title: string
  env?: Machine['env']
  files?: string[]
}

const choose = ({ env = {}, platform, arch, files = [] }: Case) =>
  findBrowser({ env, platform, arch, isExecutable: (file) => files.includes(file) })

const LINUX = { platform: 'linux', arch: 'x64' } as const
const LINUX_ARM = { platform: 'linux', arch: 'arm64' } as const
const MAC = { platform: 'darwin', arch: 'arm64' } as const
const WINDOWS = { platform: 'win32', arch: 'x64' } as const

const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'
const MAC_EDGE = '/Users/ada/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge'
const WINDOWS_ENV = {
  ProgramFiles: 'C:\\Program Files',
  'ProgramFiles(x86)': 'C:\\Program Files (x86)',
  LOCALAPPDATA: 'C:\\Users\\ada\\AppData\\Local',
}
const WINDOWS_EDGE = 'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe'
const WINDOWS_CHROME = 'C:\\Users\\ada\\AppData\\Local\\Google\\Chrome\\Application\\chrome.exe'

describe('findBrowser returns the path of an installed browser', () => {
  it.each<Case & { found: string }>([
    {
      title: 'CHROMIUM_PATH comes before the packaged Chromium and other installed browsers',
      ...LINUX,
      env: { CHROMIUM_PATH: '/opt/mine/chrome', PATH: '/usr/bin' },
      files: [GLIBC_LOADER, '/usr/bin/chromium', '/opt/mine/chrome'],
      found: '/opt/mine/chrome',
    },
    {
      title: 'x64 Linux without glibc uses Chromium from PATH',
      ...LINUX,
      env: { PATH: '/usr/bin' },
      files: ['/usr/bin/chromium'],
      found: '/usr/bin/chromium',
    },
    {
      title: 'arm64 Linux does not use the packaged Chromium',
      ...LINUX_ARM,
      env: { PATH: '/home/ada/bin:/usr/bin' },
      files: [GLIBC_LOADER, '/home/ada/bin/chromium-browser'],
      found: '/home/ada/bin/chromium-browser',
    },
    {
      title: 'Chromium comes before Chrome wherever it is on PATH',
      ...LINUX_ARM,
      env: { PATH: '/a:/b' },
      files: ['/a/google-chrome', '/b/chromium'],
      found: '/b/chromium',
    },
    {
      title: 'a snap is found when PATH is not set',
      ...LINUX_ARM,
      files: ['/snap/bin/chromium'],
      found: '/snap/bin/chromium',
    },
    {
      title: 'a file in the working directory is not used when PATH is empty',
      ...LINUX_ARM,
      env: { PATH: '' },
      files: ['chromium', '/usr/bin/google-chrome-stable'],
      found: '/usr/bin/google-chrome-stable',
    },
    {
      title: 'Edge on Linux is found outside PATH',
      ...LINUX_ARM,
      files: ['/opt/microsoft/msedge/msedge'],
      found: '/opt/microsoft/msedge/msedge',
    },
    { title: 'macOS uses Chrome from /Applications', ...MAC, files: [MAC_CHROME], found: MAC_CHROME },
    {
      title: 'macOS uses Edge from the applications of the user',
      ...MAC,
      env: { HOME: '/Users/ada' },
      files: [MAC_EDGE],
      found: MAC_EDGE,
    },
    {
      title: 'Windows uses Edge from Program Files (x86)',
      ...WINDOWS,
      env: WINDOWS_ENV,
      files: [WINDOWS_EDGE],
      found: WINDOWS_EDGE,
    },
    {
      title: 'Windows uses Chrome of the user before Edge',
      ...WINDOWS,
      env: WINDOWS_ENV,
      files: [WINDOWS_EDGE, WINDOWS_CHROME],
      found: WINDOWS_CHROME,
    },
  ])('$title', ({ found, ...machine }) => {
    expect(choose(machine)).toEqual({ kind: 'installed', path: found })
  })
})

describe('findBrowser returns the packaged Chromium', () => {
  it.each<Case>([
    {
      title: 'x64 Linux with glibc uses it before installed browsers',
      ...LINUX,
      env: { PATH: '/usr/bin' },
      files: [GLIBC_LOADER, '/usr/bin/chromium'],
    },
    {
      title: 'an empty CHROMIUM_PATH counts as not set',
      ...LINUX,
      env: { CHROMIUM_PATH: '' },
      files: [GLIBC_LOADER],
    },
  ])('$title', (machine) => {
    expect(choose(machine)).toEqual({ kind: 'packaged' })
  })
})

describe('findBrowser returns whether a missing browser is a failure', () => {
  it.each<Case & { required: boolean; says: string }>([
    {
      title: 'a wrong CHROMIUM_PATH is a failure even if there are other browsers',
      ...LINUX,
      env: { CHROMIUM_PATH: '/nowhere/chrome', PATH: '/usr/bin' },
      files: [GLIBC_LOADER, '/usr/bin/chromium'],
      required: true,
      says: 'CHROMIUM_PATH is "/nowhere/chrome", which is not an executable file.',
    },
    {
      title: 'no browser is a failure in CI on x64 Linux',
      ...LINUX,
      env: { CI: 'true' },
      required: true,
      says: 'apt-get install chromium',
    },
    {
      title: 'no browser skips the browser tests on x64 Linux outside CI',
      ...LINUX,
      required: false,
      says: 'apt-get install chromium',
    },
    {
      title: 'CI=false counts as outside CI',
      ...LINUX,
      env: { CI: 'false' },
      required: false,
      says: 'No browser was found.',
    },
    {
      title: 'no browser skips the browser tests in CI on arm64 Linux',
      ...LINUX_ARM,
      env: { CI: 'true' },
      required: false,
      says: 'set CHROMIUM_PATH to its executable',
    },
    {
      title: 'no browser skips the browser tests on macOS',
      ...MAC,
      env: { HOME: '/Users/ada' },
      required: false,
      says: 'Install Chromium, Chrome or Edge',
    },
    {
      title: 'no browser skips the browser tests on Windows',
      ...WINDOWS,
      required: false,
      says: 'Install Chromium, Chrome or Edge',
    },
  ])('$title', ({ required, says, ...machine }) => {
    expect(choose(machine)).toEqual({ kind: 'missing', required, message: expect.stringContaining(says) })
  })
})
