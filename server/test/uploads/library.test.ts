/** The image library over HTTP: names, folders, alternative texts, where an image is used, and deleting it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProject } from '../harness.ts'
import { useProject } from '../use-project.ts'
import { png } from './images.ts'
import { uploadFile } from './upload.ts'

const fixture = useProject()
const CONTENT = { subject: 'Hi', from: 'us@example.com' }

let key: string
let stranger: string

beforeAll(async () => {
  stranger = (await createProject(fixture.app)).secretKey
})
beforeEach(async () => {
  key = (await createProject(fixture.app)).secretKey
})

const call = (method: string, path: string, body?: unknown, as = key) =>
  fixture.app.request(method, path, { key: as, body })

async function upload(filename: string, parts: Record<string, string> = {}) {
  const { status, body } = await uploadFile(fixture.app, '/uploads/image', png(), {
    key,
    field: 'image',
    filename,
    parts,
  })
  return { status, ...body }
}

const namesIn = async (query = '', as = key): Promise<string[]> =>
  (await call('GET', `/uploads/images${query}`, undefined, as)).body.data.map(({ name }: { name: string }) => name)

describe('an image', () => {
  it('has the name of its file, which keeps the letters that its URL does not have', async () => {
    expect(await upload('Größe Été.png')).toMatchObject({ name: 'Größe Été.png', filename: 'gro-e-ete.png' })
    expect(await upload('a/b\tc.png')).toMatchObject({ name: 'b c.png' })
    expect(await upload('x'.repeat(200))).toMatchObject({ name: 'x'.repeat(100) })
  })

  it('can be uploaded with a name, a folder and an alternative text', async () => {
    const details = { name: 'Our logo', folder: 'Brand', alt: 'Acme' }
    expect(await upload('a.png', details)).toMatchObject({ status: 201, ...details })
    const { body } = await call('GET', '/uploads/images')
    expect(body.data[0]).toMatchObject(details)
  })

  it('is refused with a folder of more than one line, and the field is named', async () => {
    const refused = await upload('a.png', { folder: 'a\nb' })
    expect([refused.status, refused.error.errors[0].field]).toEqual([422, 'folder'])
    expect(await namesIn()).toEqual([])
  })

  it('has the name of its file if an earlier version stored it', async () => {
    const { id } = await upload('Old.png')
    await fixture.app.pool.query('update uploads set name = null where id = $1', [id])
    expect(await namesIn()).toEqual(['old.png'])
    expect((await call('PATCH', `/uploads/images/${id}`, { folder: 'Old' })).body).toMatchObject({ name: 'old.png' })
  })
})

describe('PATCH /uploads/images/{id}', () => {
  it('renames, moves and describes an image, and leaves out what it is not given', async () => {
    const { id, url } = await upload('logo.png')
    const path = `/uploads/images/${id}`
    expect((await call('PATCH', path, { name: ' Logo ' })).body).toMatchObject({ url, name: 'Logo', folder: null })
    expect((await call('PATCH', path, { folder: 'Brand', alt: 'Acme' })).body).toMatchObject({
      name: 'Logo',
      alt: 'Acme',
    })
    expect((await call('PATCH', path, { alt: '' })).body).toMatchObject({ folder: 'Brand', alt: null })
    expect((await call('PATCH', path, { folder: null })).body).toMatchObject({ folder: null })
    expect((await call('GET', path)).body).toMatchObject({ url, name: 'Logo', folder: null, alt: null })
  })

  it.each([
    ['an empty name', { name: ' ' }, 'name'],
    ['a name that is too long', { name: 'x'.repeat(101) }, 'name'],
    ['an alternative text that is too long', { alt: 'x'.repeat(501) }, 'alt'],
  ])('refuses %s', async (_what, changes, field) => {
    const { id } = await upload('logo.png')
    const { status, body } = await call('PATCH', `/uploads/images/${id}`, changes)
    expect([status, body.error.errors[0].field]).toEqual([422, field])
  })

  it('responds with 404 to another project, which can neither read nor delete the image', async () => {
    const path = `/uploads/images/${(await upload('logo.png')).id}`
    expect((await call('PATCH', path, { name: 'Mine' }, stranger)).status).toBe(404)
    expect((await call('GET', path, undefined, stranger)).status).toBe(404)
    expect((await call('DELETE', path, undefined, stranger)).status).toBe(404)
    expect(await namesIn()).toEqual(['logo.png'])
  })
})

describe('folders of images', () => {
  it('are listed by name with their images, and filter the list', async () => {
    await upload('one.png', { folder: 'spring' })
    await upload('two.png', { folder: 'spring' })
    await upload('logo.png', { folder: 'Brand' })
    const loose = await upload('loose.png')
    const folders = async (as = key) => (await call('GET', '/uploads/folders', undefined, as)).body
    expect(await folders()).toEqual([
      { name: 'Brand', images: 1 },
      { name: 'spring', images: 2 },
    ])
    expect(await folders(stranger)).toEqual([])
    expect(await namesIn('?folder=spring')).toEqual(['two.png', 'one.png'])
    expect(await namesIn('?folder=spring&search=ON')).toEqual(['one.png'])
    expect(await namesIn('?folder=')).toEqual(['loose.png'])
    expect(await namesIn('?folder=spring', stranger)).toEqual([])
    await call('PATCH', `/uploads/images/${loose.id}`, { folder: 'Brand' })
    expect(await namesIn('?folder=')).toEqual([])
    expect((await folders())[0]).toEqual({ name: 'Brand', images: 2 })
  })

  it('are found by parts of new names too', async () => {
    const { id } = await upload('IMG_0417.png')
    await call('PATCH', `/uploads/images/${id}`, { name: 'Team in Lyon' })
    expect(await namesIn('?search=lyon')).toEqual(['Team in Lyon'])
    expect(await namesIn('?search=img-0417')).toEqual(['Team in Lyon'])
    expect(await namesIn('?search=paris')).toEqual([])
  })
})

describe('the uses of an image', () => {
  it('are the templates, campaigns, variants, layouts, saved blocks and the branding that contain it', async () => {
    const { id, url } = await upload('logo.png')
    const body = `<img src="${url}">`
    const block = { id: 'a', type: 'image', src: url, alt: '' }
    const made = async (path: string, resource: object) => (await call('POST', path, resource)).body.id
    await made('/templates', { name: 'Other', ...CONTENT, body: '<p>Hi</p>' })
    const template = await made('/templates', { name: 'Welcome', ...CONTENT, body })
    const campaign = { ...CONTENT, audienceType: 'ALL' }
    const june = await made('/campaigns', { name: 'June', ...campaign, body })
    const tried = await made('/campaigns', { name: 'Trial', ...campaign, body: '<p>Hi</p>' })
    const variants = [{ name: 'A' }, { name: 'B', body }]
    const experiment = { variants, share: 20, metric: 'opens', waitMinutes: 60, winner: 'manual' }
    expect((await call('PUT', `/campaigns/${tried}/experiment`, experiment)).status).toBeLessThan(300)
    const layout = await made('/layouts', { name: 'Header', header: [block], footer: [] })
    const project = await fixture.app.pool.query(
      "update projects set branding = branding || jsonb_build_object('logoUrl', $2::text) where id = $1 returning id, name",
      [new URL(url).pathname.split('/')[2], url],
    )
    const blocks = await made('/saved-blocks', { name: 'Hero', blocks: [block] })
    expect((await call('GET', `/uploads/images/${id}`)).body.usedIn).toEqual([
      { type: 'branding', id: project.rows[0].id, name: project.rows[0].name },
      { type: 'layout', id: layout, name: 'Header' },
      { type: 'saved-blocks', id: blocks, name: 'Hero' },
      { type: 'template', id: template, name: 'Welcome' },
      { type: 'campaign', id: june, name: 'June' },
      { type: 'campaign', id: tried, name: 'Trial' },
    ])
  })

  it('do not include those of another image', async () => {
    const [one, other] = [await upload('logo.png'), await upload('logo.png')]
    await call('POST', '/templates', { name: 'T', ...CONTENT, body: `<img src="${other.url}">` })
    expect((await call('GET', `/uploads/images/${one.id}`)).body.usedIn).toEqual([])
  })
})

describe('DELETE /uploads/images/{id}', () => {
  it('removes the image from the library at once, and its file with the next cleanup', async () => {
    const { id, url } = await upload('logo.png')
    const kept = await upload('kept.png')
    expect((await call('DELETE', `/uploads/images/${id}`)).status).toBe(204)
    expect(await namesIn()).toEqual(['kept.png'])
    expect((await call('DELETE', `/uploads/images/${id}`)).status).toBe(404)
    await fixture.app.jobs['remove-uploads']({}, { attempt: 1, priority: 0, at: new Date() })
    const statusOf = async (image: string) =>
      (await fixture.app.server.inject({ method: 'GET', url: new URL(image).pathname })).statusCode
    expect([await statusOf(url), await statusOf(kept.url)]).toEqual([404, 200])
  })
})
