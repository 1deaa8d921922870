/** Which machines Posthorn runs on, and what to do when a package with native code is missing. */

const SUPPORTED = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64']
const machine = `${process.platform}-${process.arch}`

/** A sentence when this Node.js or this machine is not supported. */
export function explainUnsupported(nodeVersion = process.versions.node, platform = machine) {
  const [major, minor] = nodeVersion.split('.').map(Number)
  const isSupported = (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major >= 24
  if (!isSupported) return `Posthorn requires Node.js 20.19, 22.12, or 24 or newer; this is ${nodeVersion}.`
  if (!SUPPORTED.includes(platform)) {
    return `Posthorn runs on Linux and macOS (x64 and arm64) and on Windows (x64); this is ${platform}.`
  }
  return undefined
}

const NATIVE = /(?:@[\w-]+\/[\w.-]*|lightningcss[.-])(?:linux|darwin|win32|windows)[\w.-]*/

/** A sentence when an import failed because the build of a native package for this machine is not installed. */
export function explainMissingPackage(error) {
  let messages = ''
  for (let cause = error, depth = 0; cause instanceof Error && depth < 20; cause = cause.cause, depth++) {
    messages += `${cause.message}\n`
  }
  if (!/cannot find|could not (?:be found|resolve)|failed to load/i.test(messages)) return undefined
  const found = NATIVE.exec(messages)?.[0]
  if (!found) return undefined
  const name = found.replace(/^lightningcss\./, 'lightningcss-').replace(/\.node$/, '')
  return (
    `Posthorn can't start: the package ${name}, which this machine (${machine}) requires, is not installed. ` +
    'Reinstall without --omit=optional.'
  )
}
