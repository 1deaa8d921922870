/**
 * The certificate of our mail servers: the operator's files, read again when they change so that a renewal needs no
 * restart, or a self-signed one that is created once and stored in DATA_DIR.
 */
import { randomBytes, X509Certificate } from 'node:crypto'
import { chmod, link, mkdir, readFile, unlink, writeFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import path from 'node:path'
import { createSecureContext } from 'node:tls'
import { SmtpStartProblem } from './refusal.ts'

export interface Certificate {
  key: string
  cert: string
}

export interface CertificateSource {
  /** The operator's files; both or none. */
  certFile: string
  keyFile: string
  dataDir: string
  /** The server's host name. */
  name: string
}

export async function loadCertificate(source: CertificateSource, now: Date): Promise<Certificate> {
  return source.certFile ? readFiles(source) : keptOrMade(source, now)
}

async function readFiles({ certFile, keyFile }: CertificateSource): Promise<Certificate> {
  try {
    const [cert, key] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')])
    createSecureContext({ cert, key }) // throws if they are invalid or don't match
    return { cert, key }
  } catch (error) {
    throw new SmtpStartProblem(
      `Posthorn can't start: SMTP_TLS_CERT and SMTP_TLS_KEY can't be used (${(error as Error).message}). They must be PEM files with a certificate chain and its private key.`,
    )
  }
}

async function keptOrMade({ dataDir, name }: CertificateSource, now: Date): Promise<Certificate> {
  const file = path.join(dataDir, 'smtp-certificate.pem')
  const kept = await readKept(file)
  if (kept && isFor(kept, name)) return kept

  // It was made for another host name, or by a version that didn't include IP addresses: no client could verify it.
  if (kept) await unlink(file).catch(ignoreMissing)
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const { makeSelfSigned } = await import('./self-signed.ts') // rarely needed
  const made = await makeSelfSigned(name, now)
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  await writeFile(draft, `${made.key}${made.cert}`, { mode: 0o600 })
  await chmod(draft, 0o600)
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error // another process was faster: its certificate counts
  })
  await unlink(draft)
  return (await readKept(file)) ?? made
}

function isFor({ cert }: Certificate, name: string): boolean {
  const certificate = new X509Certificate(cert)
  const found = isIP(name) === 0 ? certificate.checkHost(name, { subject: 'never' }) : certificate.checkIP(name)
  return found !== undefined
}

/** Another process may have removed it. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error
}

async function readKept(file: string): Promise<Certificate | undefined> {
  try {
    const pem = await readFile(file, 'utf8')
    new X509Certificate(pem)
    return { key: pem, cert: pem }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SmtpStartProblem(
      `Posthorn can't start: ${file} can't be used (${(error as Error).message}). Delete it to generate a new one.`,
    )
  }
}
