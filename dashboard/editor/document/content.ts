/** What an email is written in: blocks, HTML or MJML. The API compiles the other two to the HTML that is sent. */
import type { Result } from '@posthorn/sdk'
import type { inProject, Schemas } from '../../data/api.ts'
import { texts } from '../texts.ts'
import { documentForApi, documentFromApi, type EmailDocument, newId } from './document.ts'

export type EditorKind = 'visual' | 'html' | 'mjml'

export interface Content {
  editor: EditorKind
  body: string
  document: EmailDocument | null
  mjml: string | null
}

type StoredContent = Pick<Schemas['Template'], 'editor' | 'body' | 'document' | 'mjml'>

/** Compiled HTML isn't edited, so it is left out. */
export const contentOf = ({ editor, body, document, mjml }: StoredContent): Content => ({
  editor,
  body: editor === 'html' ? body : '',
  document: document && documentFromApi(document),
  mjml,
})

/** The one field that the content is written in. */
export function contentForApi({ editor, body, document, mjml }: Content) {
  if (editor === 'visual' && document) return { document: documentForApi(document) }
  return editor === 'mjml' ? { mjml: mjml ?? '' } : { body }
}

/** Content as HTML and, unless it was written as HTML, as MJML. The API compiles it without saving it. */
export async function compileContent(
  api: ReturnType<typeof inProject>,
  content: Content,
): Promise<Result<{ body: string; mjml?: string | undefined }>> {
  if (content.editor === 'html') return { data: { body: content.body } }
  const { data, error } = await api.templates.preview({ subject: '', ...contentForApi(content) })
  return error ? { error } : { data: { body: data.body ?? '', mjml: data.mjml } }
}

export const isSameContent = (a: Content, b: Content): boolean =>
  JSON.stringify(contentForApi(a)) === JSON.stringify(contentForApi(b))

/**
 * What a new email starts with. Its blocks have fixed IDs, so that an unchanged one is recognized. It has dark colors
 * unless the brand has its own setting, which a setting of the email would override. The greeting has a name only if
 * contacts have such a field.
 */
export const starterContent = (brand: Schemas['EmailStyle'] | null, nameField: string | null): Content => ({
  editor: 'visual',
  body: '',
  mjml: null,
  document: {
    version: 1,
    ...(brand?.darkMode === undefined && { settings: { darkMode: true } }),
    blocks: [
      {
        id: 'starter-heading',
        type: 'heading',
        level: 1,
        content: nameField
          ? [
              { type: 'text', text: `${texts.starter.greeting} ` },
              { type: 'variable', attrs: { name: nameField, fallback: texts.starter.fallback } },
            ]
          : [{ type: 'text', text: texts.starter.greeting }],
      },
      {
        id: 'starter-text',
        type: 'text',
        content: [{ type: 'paragraph', content: [{ type: 'text', text: texts.starter.text }] }],
      },
      { id: 'starter-footer', type: 'footer' },
    ],
  },
})

/** The HTML of an email in one block: the content of its body, and the styles of its head. */
export function contentFromHtml(html: string): Content {
  const body = /<body[^>]*>([\s\S]*)<\/body>/i.exec(html)
  const head = body ? html.slice(0, body.index) : ''
  const styles = head.match(/<style[^>]*>[\s\S]*?<\/style>/gi) ?? []
  const code = [...styles, body ? body[1]! : html].join('\n').trim()
  return {
    editor: 'visual',
    body: html,
    mjml: null,
    document: { version: 1, blocks: [{ id: newId(), type: 'html', code }] },
  }
}

export const mjmlFromHtml = (html: string): string => {
  const { document } = contentFromHtml(html)
  const [block] = document!.blocks
  const code = block?.type === 'html' ? block.code : ''
  return `<mjml>
  <mj-body>
    <mj-section>
      <mj-column>
        <mj-text>
${code}
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`
}
