/** A template as a file: HTML and MJML with front matter, the blocks of the visual editor as JSON. */
import { dump, load } from 'js-yaml'
import { type Body, type Posthorn, type Schemas, unwrap } from '../../sdk/index.ts'
import { CommandError } from '../errors.ts'
import type { Kind, Remote } from './sync.ts'

const PAGE_SIZE = 100
/** In the order in which they are written. */
const FIELDS = [
  'name',
  'description',
  'type',
  'subject',
  'preheader',
  'from',
  'fromName',
  'replyTo',
  'text',
  'tags',
] as const
const EXTENSIONS = { html: '.html', mjml: '.mjml', visual: '.json' } as const
const FRONT_MATTER = /^---\r?\n([\s\S]*?)\r?\n---\r?\n?([\s\S]*)$/

type Template = Schemas['Template']
type Fields = Record<string, unknown>

function fileContent(template: Template): string {
  const fields: Fields = {}
  for (const name of FIELDS) {
    const value = template[name]
    if (value !== null && !(Array.isArray(value) && value.length === 0)) fields[name] = value
  }
  if (template.editor === 'visual') return `${JSON.stringify({ ...fields, document: template.document }, null, 2)}\n`
  const content = template.editor === 'mjml' ? template.mjml : template.body
  return `---\n${dump(fields, { lineWidth: -1, noRefs: true })}---\n${content}`
}

/** The fields of a file; what it doesn't name is empty. */
function readTemplateFile(content: string, file: string): Fields {
  const { content: own, ...fields } = file.endsWith('.json')
    ? { ...parseJson(content, file), content: {} }
    : parseFile(content, file)
  const unknown = Object.keys(fields).find((name) => name !== 'document' && !FIELDS.includes(name as never))
  if (unknown) throw new CommandError(`${file}: there is no field "${unknown}". Use ${FIELDS.join(', ')}.`)
  const empty = { description: null, preheader: null, fromName: null, replyTo: null, text: null, tags: [] }
  return { ...empty, ...fields, ...own }
}

function parseJson(content: string, file: string): Fields {
  try {
    return JSON.parse(content) as Fields
  } catch (error) {
    throw new CommandError(`${file} is not JSON: ${(error as Error).message}`)
  }
}

function parseFile(content: string, file: string): Fields & { content: Fields } {
  const [, front, rest] = FRONT_MATTER.exec(content) ?? []
  if (front === undefined) {
    throw new CommandError(`${file} must begin with front matter: ---, then lines such as "name: Welcome", then ---.`)
  }
  try {
    const fields = (load(front) ?? {}) as Fields
    return { ...fields, content: file.endsWith('.mjml') ? { mjml: rest } : { body: rest } }
  } catch (error) {
    throw new CommandError(`${file}: the front matter is not YAML: ${(error as Error).message.split('\n')[0]}`)
  }
}

const remoteOf = (template: Template): Remote => ({
  id: template.id,
  name: template.name,
  version: template.version,
  extension: EXTENSIONS[template.editor],
  content: fileContent(template),
})

export const templateKind = (posthorn: Posthorn): Kind => ({
  folder: 'templates',
  noun: 'template',
  extensions: Object.values(EXTENSIONS),
  list: async () => {
    const all: Remote[] = []
    for (let page = 1; ; page++) {
      const { data, totalPages } = await unwrap(
        posthorn.templates.list({ page, pageSize: PAGE_SIZE, sort: 'createdAt', dir: 'asc' }),
      )
      all.push(...data.map(remoteOf))
      if (page >= totalPages) return all
    }
  },
  create: async (content, file) =>
    remoteOf(await unwrap(posthorn.templates.create(readTemplateFile(content, file) as Body<'POST /templates'>))),
  update: async ({ id }, content, file) =>
    remoteOf(
      await unwrap(posthorn.templates.update(id, readTemplateFile(content, file) as Body<'PATCH /templates/{id}'>)),
    ),
  onlyPushedSince: async ({ id }, version) => {
    const { data } = await unwrap(posthorn.templates.versions(id))
    return data.filter(({ number }) => number > version).every(({ actor }) => actor.type === 'KEY')
  },
})
