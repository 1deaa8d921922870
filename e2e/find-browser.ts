/**
 * Finds the browser for the tests: CHROMIUM_PATH if it is set, otherwise the Chromium from npm, which only runs on x64
 * Linux with glibc, otherwise an installed Chromium, Chrome or Edge.
 */
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

export interface Machine {
  env: Record<string, string | undefined>
  platform: NodeJS.Platform
  arch: string
  isExecutable(file: string): boolean
}

export type BrowserChoice =
  | { kind: 'packaged' }
  | { kind: 'installed'; path: string }
  /** Browser tests fail if a browser is required, and are skipped otherwise. */
  | { kind: 'missing'; required: boolean; message: string }

export const thisMachine: Machine = {
  env: process.env,
  platform: process.platform,
  arch: process.arch,
  isExecutable(file) {
    try {
      accessSync(file, constants.X_OK)
      return statSync(file).isFile()
    } catch {
      return false
    }
  },
}

/** The dynamic loader that the packaged Chromium is linked against: musl systems and NixOS don't have it. */
export const GLIBC_LOADER = '/lib64/ld-linux-x86-64.so.2'

const NONE_FOUND =
  'No browser was found. Install Chromium, Chrome or Edge (on Debian: apt-get install chromium), ' +
  'or set CHROMIUM_PATH to its executable.'

export function findBrowser({ env, platform, arch, isExecutable }: Machine): BrowserChoice {
  const named = env.CHROMIUM_PATH
  if (named && isExecutable(named)) return { kind: 'installed', path: named }
  if (named) {
    return { kind: 'missing', required: true, message: `CHROMIUM_PATH is "${named}", which is not an executable file.` }
  }

  const isX64Linux = platform === 'linux' && arch === 'x64'
  if (isX64Linux && isExecutable(GLIBC_LOADER)) return { kind: 'packaged' }

  const installed = installLocations(platform, env).find(isExecutable)
  if (installed) return { kind: 'installed', path: installed }

  const required = isX64Linux && Boolean(env.CI) && env.CI !== 'false'
  return { kind: 'missing', required, message: NONE_FOUND }
}

function installLocations(platform: NodeJS.Platform, env: Machine['env']): string[] {
  if (platform === 'darwin') {
    const apps = ['Chromium', 'Google Chrome', 'Microsoft Edge'].map((name) => `${name}.app/Contents/MacOS/${name}`)
    return combine(path.posix, ['/Applications', env.HOME && `${env.HOME}/Applications`], apps)
  }
  if (platform === 'win32') {
    const folders = [env.ProgramFiles, env['ProgramFiles(x86)'], env.LOCALAPPDATA]
    return combine(path.win32, folders, [
      'Chromium\\Application\\chrome.exe',
      'Google\\Chrome\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
    ])
  }
  const folders = [...(env.PATH ?? '').split(':'), '/usr/local/bin', '/usr/bin', '/snap/bin']
  const commands = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge']
  return [...combine(path.posix, folders, commands), '/opt/google/chrome/chrome', '/opt/microsoft/msedge/msedge']
}

/** Every combination of folder and name, ordered by name. Folders that are not set are left out. */
function combine({ join }: path.PlatformPath, folders: (string | undefined)[], names: string[]): string[] {
  return names.flatMap((name) => folders.filter((folder) => folder).map((folder) => join(folder!, name)))
}
