/** What a project can offer on the preference page: a language, a time zone and the download of the contact's data. */
import { describe, expect, it } from 'vitest'
import { preferenceToken, textsIn } from '../../features/audience/preferences/actions.ts'
import { useProject } from '../use-project.ts'

const used = useProject()
const { call } = used

const ALL = { language: true, timezone: true, dataDownload: true }
const offer = (preferencePage: unknown) => call('PATCH', `/users/@me/projects/${used.project.id}`, { preferencePage })
async function contact(data: object = {}) {
  const { id } = (await call('POST', '/contacts', { email: 'ada@example.org', data })).body
  const token = preferenceToken(used.app.ctx.secrets, used.project.id, id)
  return {
    id,
    path: `/manage/${token}`,
    dataPath: `/my-data/${token}`,
    data: async () => (await call('GET', `/contacts/${id}`)).body.data,
  }
}
const show = async (path: string) => (await used.app.request('GET', path)).body as string
const post = (path: string, text = '') =>
  used.app.request('POST', path, { text, headers: { 'content-type': 'application/x-www-form-urlencoded' } })

describe('the setting preferencePage', () => {
  it('is off by default, changes field by field, and is reset with null', async () => {
    expect((await offer({ language: true })).body.preferencePage).toEqual({
      ...ALL,
      timezone: false,
      dataDownload: false,
    })
    expect((await offer({ timezone: true })).body.preferencePage).toEqual({ ...ALL, dataDownload: false })
    expect((await offer(null)).body.preferencePage).toEqual({ language: false, timezone: false, dataDownload: false })
    expect((await offer({ color: 'red' })).status).toBe(422)
    expect((await offer({ language: 'yes' })).status).toBe(422)
  })
})

describe('the preference page', () => {
  it('offers nothing that the project does not, and ignores requests for it', async () => {
    const { path, dataPath, data } = await contact({ locale: 'de' })
    expect(await show(path)).not.toMatch(/<select|my-data/)
    expect((await post(path, 'language=fr&timezone=Europe%2FParis')).status).toBe(200)
    expect((await post(dataPath)).status).toBe(404)
    expect(await data()).toEqual({ locale: 'de' })
  })

  it('changes the language and the time zone, and is shown in the new language', async () => {
    await offer(ALL)
    const { path, data } = await contact({ locale: 'de-AT', plan: 'pro' })
    expect(await show(path)).toMatch(/<option value="de" selected>Deutsch<\/option>/)
    const saved = (await post(path, 'language=de&timezone=Europe%2FVienna')).body
    expect(saved).toContain('<option value="Europe/Vienna" selected>Europe/Vienna</option>')
    expect(await data()).toEqual({ locale: 'de-AT', plan: 'pro', timezone: 'Europe/Vienna' })
    expect((await post(path, 'language=fr&timezone=')).body).toContain(textsIn('fr').settings.title)
    expect(await data()).toEqual({ locale: 'fr', plan: 'pro' })
  })

  it('ignores languages and time zones that do not exist', async () => {
    await offer(ALL)
    const { path, data } = await contact({ locale: 'de' })
    expect((await post(path, 'language=xx&timezone=Mars%2FBase')).status).toBe(200)
    expect(await data()).toEqual({ locale: 'de' })
  })

  it('lets the person download what is stored, without those who made changes and hidden recipients', async () => {
    await offer(ALL)
    const { id, path, dataPath } = await contact()
    const copies = { cc: 'shown@example.org', bcc: 'hidden@example.org' }
    await call('POST', '/v1/send', { to: 'ada@example.org', ...copies, from: 'a@example.com', subject: 's', body: 'b' })
    await call('POST', '/topics', { key: 'news', name: 'News' })
    await call('PUT', `/contacts/${id}/topics`, { topics: { news: false } })
    expect(await show(path)).toContain(`action="..${dataPath}"`)
    const { status, body: text, headers } = await post(dataPath)
    const body = JSON.parse(text)
    expect([status, headers['content-disposition']]).toEqual([200, 'attachment; filename="my-data.json"'])
    const stored = [
      'contact',
      'topics',
      'consents',
      'suppressions',
      'emails',
      'events',
      'segments',
      'workflowExecutions',
    ]
    expect(Object.keys(body)).toEqual(stored)
    expect(body.contact).toMatchObject({ id, email: 'ada@example.org' })
    expect(body.topics).toMatchObject([{ key: 'news', subscribed: false }])
    expect(body.consents.map(({ kind }: { kind: string }) => kind).sort()).toEqual(['subscribed', 'topic.unsubscribed'])
    expect(body.consents[0]).not.toHaveProperty('by')
    expect(body.emails).toMatchObject([{ subject: 's', cc: [{ email: 'shown@example.org' }] }])
    expect(text).not.toContain('hidden@example.org')
    expect((await used.app.request('GET', dataPath)).status).toBe(404)
    expect((await post(dataPath.slice(0, -1))).status).toBe(404)
  })

  it('has no data to download after the contact was deleted', async () => {
    await offer(ALL)
    const { id, dataPath } = await contact()
    await call('DELETE', `/contacts/${id}`)
    expect((await post(dataPath)).status).toBe(404)
  })
})
