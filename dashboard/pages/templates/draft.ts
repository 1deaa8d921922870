/** A template in the editor, and the content of a new one. */
import type { inProject, Schemas } from '../../data/api.ts'
import { type Content, contentForApi, contentOf, starterContent } from '../../editor/document/content.ts'

export type Draft = Pick<Schemas['Template'], 'name' | 'subject' | 'from' | 'type'> &
  Content & {
    /** Empty if it is generated from the HTML. */
    text: string
    preheader: string
    fromName: string
    replyTo: string
    topicId: string | null
  }

export const blankDraft = (
  from: string,
  project: Pick<Schemas['Project'], 'name' | 'emailStyle'>,
  nameField: string | null,
): Draft => ({
  name: '',
  subject: '',
  text: '',
  preheader: '',
  ...starterContent(project.emailStyle, nameField),
  from,
  fromName: project.name,
  replyTo: '',
  type: 'MARKETING',
  topicId: null,
})

export const draftOf = (saved: Schemas['Template'] | Schemas['Campaign']): Draft => ({
  name: saved.name,
  subject: saved.subject,
  text: saved.text ?? '',
  preheader: saved.preheader ?? '',
  ...contentOf(saved),
  from: saved.from,
  fromName: saved.fromName ?? '',
  replyTo: saved.replyTo ?? '',
  type: saved.type,
  topicId: saved.topicId,
})

/** The values that two people can change independently: the content as a whole, and every other field. */
export const partsOf = <T extends Content>({ editor, body, document, mjml, ...fields }: T) => ({
  ...fields,
  content: { editor, body, document, mjml },
})

export const draftFrom = <T extends Content>({ content, ...fields }: Record<string, unknown>): T =>
  ({ ...fields, ...(content as Content) }) as T

/** The fields of a draft that the checks need. */
export const checkedOf = (draft: Omit<Draft, 'name'>) => ({
  subject: draft.subject,
  preheader: draft.preheader || null,
  ...contentForApi(draft),
  type: draft.type,
})

/** The fields of a draft that are sent to save it. */
export const savedOf = (draft: Omit<Draft, 'name'>) => ({ ...emailOf(draft), topicId: draft.topicId })

/** The fields of a draft that are sent to save it or to test it. */
export const emailOf = (draft: Omit<Draft, 'name'>) => ({
  ...checkedOf(draft),
  text: draft.text || null,
  from: draft.from,
  fromName: draft.fromName || null,
  replyTo: draft.replyTo || null,
})

/** A new template with the content of one in the gallery. */
export async function createFromGallery(
  api: ReturnType<typeof inProject>,
  slug: string,
  sender: { from: string; fromName: string },
) {
  const entry = await api.templates.galleryTemplate(slug)
  if (entry.error) return { error: entry.error }
  const { name, subject, preheader, type, document } = entry.data
  return api.templates.create({ name, subject, preheader, type, document, ...sender })
}
