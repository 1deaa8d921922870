/** The guides of docs/ for programs: their list as llms.txt (llmstxt.org), all of them in one text, and OpenAPI by tag. Pure. */
import type { OpenApiDocument } from '../openapi/openapi-shape.ts'

export interface Guide {
  /** The address below /docs, such as `send` or `migrate/resend`. */
  name: string
  title: string
  /** Its first sentences, in one line. */
  description: string
  /** Markdown. */
  text: string
}

export function readGuide(name: string, text: string): Guide {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? name
  const [, description = ''] = /^# .+\n\n([^\n#|`-][^\n]*(?:\n[^\n]+)*)/.exec(text) ?? []
  return { name, title, description: inOneLine(description), text }
}

/** Links are relative to the guide, so only their text is kept. */
const inOneLine = (text: string): string =>
  text
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim()

const SUMMARY =
  'Posthorn is an open-source, self-hostable email platform: transactional email, campaigns, workflows, contacts and segments for many projects, with one HTTP API.'

const INTRODUCTION = `Authenticate with \`Authorization: Bearer <key>\`, where the key is the secret key of a project (\`sk_…\`) or an API key with scopes (\`phk_…\`). \`GET /me\` shows what a key is. Send an email with \`POST /v1/send\`. Errors have a stable \`error.code\` and an \`error.docsUrl\`.`

/** For those who run an installation, rather than those who call it. */
const OPTIONAL = new Set(
  'accounts backup billing configuration dashboard deploy guarantees observability operate retention scale upgrade'.split(
    ' ',
  ),
)

const line = (title: string, url: string, description: string) =>
  `- [${title}](${url})${description && `: ${description}`}`

export function llmsText(guides: Guide[], document: OpenApiDocument, baseUrl: string): string {
  const guideLine = ({ name, title, description }: Guide) => line(title, `${baseUrl}/docs/${name}.md`, description)
  const isRecipe = ({ name }: Guide) => name.startsWith('recipes/')
  const isMigration = ({ name }: Guide) => name.startsWith('migrate/')
  const isOptional = ({ name }: Guide) => OPTIONAL.has(name)
  const sections: Array<[string, string[]]> = [
    ['Guides', guides.filter((guide) => ![isMigration, isRecipe, isOptional].some((is) => is(guide))).map(guideLine)],
    ['Recipes', guides.filter(isRecipe).map(guideLine)],
    ['Moving from another service', guides.filter(isMigration).map(guideLine)],
    [
      'API reference',
      [
        line('OpenAPI', `${baseUrl}/openapi.json`, 'All endpoints in one document.'),
        line('All guides in one text', `${baseUrl}/llms-full.txt`, ''),
        ...tagsOf(document).map(({ name, slug, summaries }) =>
          line(name, `${baseUrl}/openapi/${slug}.json`, `${summaries.join('; ')}.`),
        ),
      ],
    ],
    ['Optional', guides.filter(isOptional).map(guideLine)],
  ]
  const filled = sections.filter(([, lines]) => lines.length > 0)
  const body = filled.map(([title, lines]) => `## ${title}\n\n${lines.join('\n')}`)
  return `${['# Posthorn', `> ${SUMMARY}`, INTRODUCTION, ...body].join('\n\n')}\n`
}

export const llmsFullText = (guides: Guide[]): string =>
  `# Posthorn\n\n> ${SUMMARY}\n\n${guides.map(({ text }) => text.trim()).join('\n\n---\n\n')}\n`

/** `Webhook endpoints` is `webhook-endpoints`. */
export const slugOf = (tag: string): string => tag.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

export function tagsOf({ tags, paths }: OpenApiDocument) {
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return tags.map(({ name }) => ({
    name,
    slug: slugOf(name),
    summaries: operations.filter((operation) => operation.tags.includes(name)).map(({ summary }) => summary),
  }))
}
