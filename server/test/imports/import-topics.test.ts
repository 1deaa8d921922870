/** The columns of topics in imported and exported files. */
import { describe, expect, it } from 'vitest'
import { useImports } from './import-fixture.ts'

const imports = useImports()
const { upload, importFile } = imports

describe('columns of topics', () => {
  const call = (method: string, path: string, body?: unknown) =>
    imports.app.request(method, path, { key: imports.project.secretKey, body })
  const decisions = async () =>
    (
      await imports.app.pool.query(
        `select c.email || ' ' || t.key || ' ' || d.subscribed as text from contact_topics d
         join contacts c on c.id = d.contact_id join topics t on t.number = d.topic where d.project_id = $1 order by 1`,
        [imports.project.id],
      )
    ).rows.map(({ text }) => text)

  it('change the topics of contacts, and an export can be imported without a change', async () => {
    await call('POST', '/topics', { key: 'news', name: 'News' })
    await call('POST', '/topics', { key: 'offers', name: 'Offers', defaultSubscribed: false })
    const file = 'email,topic:news,topic:offers\na@example.org,no,yes\nb@example.org,yes,\nc@example.org,maybe,\n'
    const first = await importFile(file)
    expect(first.result).toMatchObject({ createdCount: 2, failureCount: 1 })
    expect(first.result.errors[0].error).toBe('topic:news must be true, 1, yes, false, 0 or no.')
    expect(await decisions()).toEqual(['a@example.org news false', 'a@example.org offers true'])
    const exported = (await call('GET', '/contacts/export')).body
    expect(exported).toMatch(/^email,subscribed,createdAt,updatedAt,topic:offers,topic:news/)
    expect(exported).toMatch(/a@example.org,true,[^,]+,[^,]+,true,false/)
    expect(exported).toMatch(/b@example.org,true,[^,]+,[^,]+,false,true/)
    expect((await importFile(exported)).result).toMatchObject({ createdCount: 0, updatedCount: 0, unchangedCount: 2 })
    expect(await decisions()).toHaveLength(2)
    const again = 'email,topic:news\na@example.org,true\nb@example.org,false\nb@example.org,true\nb@example.org,true\n'
    expect((await importFile(again)).result).toMatchObject({ updatedCount: 3, unchangedCount: 1 })
    expect(await decisions()).toEqual(['a@example.org news true', 'a@example.org offers true'])
  })

  it('are refused with 422 if the topic is unknown', async () => {
    const { status, body } = await upload('email,topic:nothing\na@example.org,yes\n')
    expect([status, body.error.errors[0]]).toEqual([
      422,
      expect.objectContaining({
        field: 'file',
        message: 'The column "topic:nothing" names a topic that doesn\'t exist.',
      }),
    ])
  })
})
