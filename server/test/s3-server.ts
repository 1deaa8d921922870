/**
 * An S3 server for tests, with the bucket in the path, as MinIO and others have it. It keeps files in memory and verifies
 * the signature of every request (AWS Signature Version 4), so a client that signs incorrectly is refused.
 */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

const ACCESS_KEY_ID = 'AKIATEST'
const SECRET_ACCESS_KEY = 'a/secret+of=the tests'
const CLOCK_SKEW_MS = 15 * 60_000

export interface S3Server {
  port: number
  /** The address of the bucket with its keys, for `UPLOADS_URL` and `ARCHIVE`. A proxy has another port. */
  urlOf(pathInBucket: string, port?: number): string
  close(): void
}

export async function startS3Server(bucket: string): Promise<S3Server> {
  const files = new Map<string, { content: Buffer; contentType: string }>()
  const server = createServer(async (request, reply) => {
    const refuse = (status: number, code: string) =>
      reply.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
    const body = await buffer(request)
    const refusal = refusalOf(request, body)
    if (refusal) return refuse(403, refusal)
    const [, name, ...key] = decodeURIComponent(request.url!).split('/')
    if (name !== bucket) return refuse(404, 'NoSuchBucket')
    const file = files.get(key.join('/'))
    if (request.method === 'PUT') {
      files.set(key.join('/'), { content: body, contentType: String(request.headers['content-type']) })
      return reply.end()
    }
    if (request.method === 'DELETE') {
      files.delete(key.join('/'))
      return reply.writeHead(204).end()
    }
    if (request.method !== 'GET') return refuse(405, 'MethodNotAllowed')
    if (!file) return refuse(404, 'NoSuchKey')
    return reply
      .writeHead(200, { 'content-type': file.contentType, 'content-length': file.content.length })
      .end(file.content)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const keys = `${ACCESS_KEY_ID}:${encodeURIComponent(SECRET_ACCESS_KEY)}`
  return {
    port,
    urlOf: (pathInBucket, from = port) =>
      `s3://${keys}@${bucket}${pathInBucket}?endpoint=${encodeURIComponent(`http://127.0.0.1:${from}`)}`,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** The code of the error if the request isn't signed with the keys, or for another time or content. */
function refusalOf(request: IncomingMessage, body: Buffer): string | undefined {
  const signed = /^AWS4-HMAC-SHA256 Credential=(.+?)\/(.+), ?SignedHeaders=(.+), ?Signature=(.+)$/.exec(
    request.headers.authorization ?? '',
  )
  if (!signed) return 'AccessDenied'
  const [, accessKeyId, scope, signedHeaders, signature] = signed as unknown as string[]
  if (accessKeyId !== ACCESS_KEY_ID) return 'InvalidAccessKeyId'
  const time = String(request.headers['x-amz-date'])
  const sentAt = Date.parse(time.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  if (!(Math.abs(Date.now() - sentAt) < CLOCK_SKEW_MS)) return 'RequestTimeTooSkewed'
  const contentHash = String(request.headers['x-amz-content-sha256'])
  if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  const names = signedHeaders!.split(';')
  if (!['host', 'x-amz-date', 'x-amz-content-sha256'].every((name) => names.includes(name))) return 'AccessDenied'
  const expected = signatureOf({
    method: request.method!,
    url: request.url!,
    headers: names.map((name) => [name, String(request.headers[name])]),
    contentHash,
    time,
    scope: scope!,
    secretAccessKey: SECRET_ACCESS_KEY,
  })
  return signature === expected ? undefined : 'SignatureDoesNotMatch'
}

export interface SignedRequest {
  method: string
  /** The path and the query. */
  url: string
  /** The signed ones, in the order of their names. */
  headers: [name: string, value: string][]
  contentHash: string
  time: string
  /** `20130524/us-east-1/s3/aws4_request` */
  scope: string
  secretAccessKey: string
}

export function signatureOf({
  method,
  url,
  headers,
  contentHash,
  time,
  scope,
  secretAccessKey,
}: SignedRequest): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  const query = [...searchParams].map((pair) => pair.map(encode).join('=')).sort()
  const request = [
    method,
    pathname.split('/').map(decodeURIComponent).map(encode).join('/'),
    query.join('&'),
    ...headers.map(([name, value]) => `${name}:${value.trim()}`),
    '',
    headers.map(([name]) => name).join(';'),
    contentHash,
  ].join('\n')
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(request)].join('\n')
  const key = scope.split('/').reduce<Buffer | string>((secret, part) => hmac(secret, part), `AWS4${secretAccessKey}`)
  return hmac(key, text).toString('hex')
}

const encode = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
const sha256 = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest()
