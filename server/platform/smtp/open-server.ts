/** Opens a mail server from the settings, and lets it use a renewed certificate without a restart. */
import type { Context } from '../../context.ts'
import { type Certificate, loadCertificate } from './certificate.ts'
import { listenForMail, type SmtpHandlers, type SmtpListener } from './listen.ts'

export interface MailServer<User> {
  setting: 'INBOUND_SMTP_PORT' | 'SUBMISSION_SMTP_PORT'
  /** 0 selects any free one. */
  port: number
  maxMegabytes: number
  implicitTls?: boolean
  handlers: SmtpHandlers<User>
}

const MEGABYTE = 1024 * 1024
const RENEWAL_LOOK_MS = 3_600_000

/** The host name of the mail servers. */
export const mailHostOf = ({ settings, baseUrl }: Pick<Context, 'settings' | 'baseUrl'>): string =>
  settings.SMTP_HOSTNAME || new URL(baseUrl).hostname.replace(/^\[|\]$/g, '')

export async function openMailServer<User>(ctx: Context, server: MailServer<User>): Promise<SmtpListener> {
  const { settings, log } = ctx
  const name = mailHostOf(ctx)
  const source = {
    certFile: settings.SMTP_TLS_CERT,
    keyFile: settings.SMTP_TLS_KEY,
    dataDir: settings.DATA_DIR,
    name,
  }
  const certificate = await loadCertificate(source, ctx.clock.now())
  const listener = await listenForMail({
    setting: server.setting,
    host: settings.SMTP_HOST || settings.HOST,
    port: server.port,
    name,
    certificate,
    ...(server.implicitTls ? { implicitTls: true } : {}),
    maxBytes: Math.floor(server.maxMegabytes * MEGABYTE),
    log,
    handlers: server.handlers,
  })
  log.info({ port: listener.port }, `${server.setting} accepts email`)
  const load = () => loadCertificate(source, ctx.clock.now())
  const stopRenewal = settings.SMTP_TLS_CERT ? renewal(load, certificate, listener, log) : () => undefined
  return {
    ...listener,
    async stop() {
      stopRenewal()
      await listener.stop()
    },
  }
}

/** An incomplete renewal is checked again later; the old certificate is used until then. */
function renewal(
  look: () => Promise<Certificate>,
  first: Certificate,
  listener: SmtpListener,
  log: Context['log'],
): () => void {
  let used = first.cert
  const timer = setInterval(async () => {
    try {
      const certificate = await look()
      if (certificate.cert === used) return
      used = certificate.cert
      listener.useCertificate(certificate)
      log.info('the SMTP servers use a renewed certificate')
    } catch (error) {
      log.warn({ reason: (error as Error).message }, 'the certificate of the SMTP servers could not be reloaded')
    }
  }, RENEWAL_LOOK_MS)
  timer.unref()
  return () => clearInterval(timer)
}
