/** Images over HTTP, with both stores: a folder and an S3 server. */
import { readdir } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createProject, openTestApp, type TestApp } from '../harness.ts'
import { type S3Server, startS3Server } from '../s3-server.ts'
import { camera, gif, jpeg, png, webp } from './images.ts'
import { uploadFile } from './upload.ts'

const RUN = { attempt: 1, priority: 0, at: new Date() }
let s3: S3Server
const apps: Record<string, TestApp> = {}
const projects: Record<string, Awaited<ReturnType<typeof createProject>>> = {}

beforeAll(async () => {
  s3 = await startS3Server('images')
  apps.folder = await openTestApp()
  apps.S3 = await openTestApp({ UPLOADS_URL: s3.urlOf('/posthorn') })
  for (const name of ['folder', 'S3']) projects[name] = await createProject(apps[name]!)
})
afterAll(async () => {
  for (const app of Object.values(apps)) await app.close()
  s3.close()
})

const upload = (store: string, bytes: Buffer, filename = 'Logo.png', field = 'image') =>
  uploadFile(apps[store]!, '/uploads/image', bytes, { key: projects[store]!.secretKey, field, filename })

const get = (store: string, url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  apps[store]!.server.inject({ method, url: new URL(url).pathname, headers })

const removeUploads = (store: string) => apps[store]!.jobs['remove-uploads']({}, RUN)

describe.each(['folder', 'S3'])('with storage in %s, an image', (store) => {
  it.each<[string, Buffer, string, number, number]>([
    ['PNG', png(3, 2), 'image/png', 3, 2],
    ['JPEG', jpeg(), 'image/jpeg', 4, 3],
    ['GIF', gif(), 'image/gif', 1, 1],
    ['WebP', webp(), 'image/webp', 1, 1],
  ])(
    'is stored as %s and served to everyone, permanently, and never as a page',
    async (_name, bytes, type, width, height) => {
      const { status, body } = await upload(store, bytes)
      expect(status).toBe(201)
      expect(body).toEqual({
        id: expect.any(String),
        name: 'Logo.png',
        folder: null,
        alt: null,
        url: expect.stringMatching(/^http:\/\/posthorn\.test\/uploads\//),
        filename: expect.stringMatching(/^logo\.(png|jpg|gif|webp)$/),
        contentType: type,
        size: bytes.length,
        width,
        height,
      })
      expect(body.url.endsWith(body.filename)).toBe(true)
      const reply = await get(store, body.url)
      expect(reply.statusCode).toBe(200)
      expect(reply.rawPayload.equals(bytes)).toBe(true)
      expect(reply.headers).toMatchObject({
        'content-type': type,
        'content-length': String(bytes.length),
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': expect.stringContaining('sandbox'),
      })
      const etag = String(reply.headers.etag)
      expect((await get(store, body.url, { 'if-none-match': etag })).statusCode).toBe(304)
      expect((await get(store, body.url, {}, 'HEAD')).rawPayload.length).toBe(0)
    },
  )

  it('gets a new URL each time, even with the same content', async () => {
    const [first, second] = [await upload(store, png()), await upload(store, png())]
    expect(first.body.url).not.toBe(second.body.url)
  })

  it('loses the location that a camera recorded', async () => {
    const { body } = await upload(store, jpeg([camera(1)]))
    expect((await get(store, body.url)).body).not.toContain('GPS')
  })

  it('is recognized by its content: a PNG named .txt is accepted, a page named .png is not', async () => {
    const taken = await upload(store, png(), 'notes.txt')
    expect(taken).toMatchObject({ status: 201, body: { contentType: 'image/png', filename: 'notes.png' } })
    const page = await upload(store, Buffer.from('<html><script>alert(1)</script>'), 'logo.png')
    expect(page).toMatchObject({ status: 422, body: { error: { errors: [{ field: 'image' }] } } })
  })

  it('keeps the letters of its name that are valid in a URL, without accents', async () => {
    const { body } = await upload(store, png(), 'Größe Été.png')
    expect(body.filename).toBe('gro-e-ete.png')
  })

  it('is deleted with its project', async () => {
    const app = apps[store]!
    const deleted = await createProject(app)
    const { body } = await uploadFile(app, '/uploads/image', png(), { key: deleted.secretKey, field: 'image' })
    const kept = (await upload(store, png())).body
    await app.pool.query('delete from projects where id = $1', [deleted.id])
    await removeUploads(store)
    expect((await get(store, body.url)).statusCode).toBe(404)
    expect((await get(store, kept.url)).statusCode).toBe(200)
    expect((await app.pool.query('select from upload_removals')).rowCount).toBe(0)
  })
})

describe('an upload', () => {
  it('leaves only the file in the folder', async () => {
    const app = apps.folder!
    const { body } = await upload('folder', png())
    const files = await readdir(path.join(app.ctx.settings.DATA_DIR, 'uploads', projects.folder!.id))
    expect(files).toContain(path.basename(new URL(body.url).pathname))
    expect(files.filter((file) => file.endsWith('.part'))).toEqual([])
  })

  it.each<[string, Buffer, string, number]>([
    ['an empty file', Buffer.alloc(0), 'image', 422],
    ['half an image', png().subarray(0, 40), 'image', 422],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image', 422],
    ['an image that is too wide', png(20_000, 1), 'image', 422],
    ['larger than 10 MB', Buffer.concat([png(), Buffer.alloc(10 * 1024 * 1024)]), 'image', 413],
    ['an image in another field', png(), 'file', 422],
  ])('is refused and stores nothing if it is %s', async (_what, bytes, field, status) => {
    const count = async () => (await apps.folder!.pool.query('select count(*) from uploads')).rows[0].count
    const before = await count()
    const reply = await upload('folder', bytes, 'a.png', field)
    expect(reply.status).toBe(status)
    expect(reply.body.error.message).toBeTypeOf('string')
    expect(await count()).toBe(before)
  })

  it('is accepted if it has exactly 10 MB', async () => {
    const filler = 10 * 1024 * 1024 - png(2, 2, { prVt: '' }).length
    const bytes = png(2, 2, { prVt: 'x'.repeat(filler) })
    expect(bytes.length).toBe(10 * 1024 * 1024)
    expect((await upload('folder', bytes)).status).toBe(201)
  })

  it('requires the key of a project that is not disabled', async () => {
    const app = apps.folder!
    expect((await app.request('POST', '/uploads/image', {})).status).toBe(401)
    const { publicKey } = projects.folder!
    const wrong = await uploadFile(app, '/uploads/image', png(), { key: publicKey, field: 'image' })
    expect(wrong).toMatchObject({ status: 401, body: { error: { code: 'INVALID_API_KEY' } } })
    const disabled = await createProject(app)
    await app.pool.query('update projects set disabled_at = now() where id = $1', [disabled.id])
    const refused = await uploadFile(app, '/uploads/image', png(), { key: disabled.secretKey, field: 'image' })
    expect(refused).toMatchObject({ status: 403, body: { error: { code: 'PROJECT_DISABLED' } } })
  })
})

describe('a URL without an image', () => {
  it.each([
    ['an unknown name', '0'.repeat(32)],
    ['a way out of the folder', '..%2f..%2fsecret'],
    ['a dotted name', '..'],
    ['a name with NUL', 'a%00.png'],
    ['a name that is no UTF-8', '%ff.png'],
  ])('is not found: %s', async (_what, name) => {
    for (const file of [name, `${name}-logo.png`]) {
      const url = `/uploads/${projects.folder!.id}/${file}`
      const { statusCode, body } = await apps.folder!.server.inject({ method: 'GET', url })
      expect([400, 404], `${url}: ${body}`).toContain(statusCode)
    }
  })

  it('is not found under another project', async () => {
    const { body } = await upload('folder', png())
    const elsewhere = body.url.replace(projects.folder!.id, (await createProject(apps.folder!)).id)
    expect((await get('folder', elsewhere)).statusCode).toBe(404)
  })
})

describe('unavailable storage', () => {
  it('gives a 503 with an explanation, and a deletion is retried later', async () => {
    const app = await openTestApp({ UPLOADS_URL: 's3://k:s@images?endpoint=http://127.0.0.1:9' })
    try {
      const { secretKey } = await createProject(app)
      const reply = await uploadFile(app, '/uploads/image', png(), { key: secretKey, field: 'image' })
      expect(reply).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } })
      await app.pool.query("insert into upload_removals values ('a/b.png')")
      await app.jobs['remove-uploads']({}, RUN)
      expect((await app.pool.query('select from upload_removals')).rowCount).toBe(1)
    } finally {
      await app.close()
    }
  })
})

describe('GET /uploads/images', () => {
  it('lists the images of the project, newest first, by parts of their names', async () => {
    const { secretKey: key } = await createProject(apps.folder!)
    const other = await createProject(apps.folder!)
    for (const filename of ['Spring Sale.png', 'logo.png', 'team-photo.png']) {
      await uploadFile(apps.folder!, '/uploads/image', png(), { key, field: 'image', filename })
    }
    const list = async (query = '', as = key) =>
      (await apps.folder!.request('GET', `/uploads/images${query}`, { key: as })).body
    const { data, total } = await list()
    expect([data.map(({ filename }: { filename: string }) => filename), total]).toEqual([
      ['team-photo.png', 'logo.png', 'spring-sale.png'],
      3,
    ])
    expect(data[0]).toMatchObject({ contentType: 'image/png', width: expect.any(Number), height: expect.any(Number) })
    expect((await get('folder', data[0].url)).statusCode).toBe(200)
    expect((await list('?search=SALE')).data).toHaveLength(1)
    const first = await list('?limit=2')
    expect((await list(`?limit=2&cursor=${first.cursor}`)).data).toEqual([data[2]])
    expect((await list('', other.secretKey)).data).toEqual([])
  })
})
