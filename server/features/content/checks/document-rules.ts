/** Rules on the blocks of a visual email, and on what was left as it is in the gallery. */
import { allBlocks, type Block, type EmailDocument } from '../../../kernel/content/email-document.ts'
import { type CheckedContent, comparable, type Finding, type HtmlFinding } from './finding.ts'

/** Shorter texts, such as "Read more", are as good in an email of one's own. */
const SAMPLE_MIN = 30

/** In HTML, an empty alternative text says that an image is decorative. A block says so with `decorative`. */
export function checkDocument({ document }: { document: EmailDocument | null }): Finding[] {
  return allBlocks(document?.blocks ?? []).flatMap((block): Finding[] => {
    if (!isImage(block) || block.decorative || block.alt.trim() !== '') return []
    return [
      {
        code: 'image.alt',
        severity: 'warning',
        message: 'An image has no alternative text.',
        fix: 'Describe the image in its alternative text, or mark it as decorative.',
        field: 'document',
        blockId: block.id,
      },
    ]
  })
}

const isImage = (block: object): block is Extract<Block, { type: 'image' }> => 'type' in block && block.type === 'image'

/** Texts of the gallery that describe something that the project doesn't have. */
export function checkSamples({
  html,
  text,
  samples,
}: Pick<CheckedContent, 'html' | 'text'> & { samples: string[] }): HtmlFinding[] {
  const plain = withoutSpaces(text)
  return samples
    .filter((sample) => sample.length >= SAMPLE_MIN && plain.includes(withoutSpaces(sample)))
    .map((sample) => ({
      code: 'text.sample',
      severity: 'warning',
      message: `"${shortened(sample)}" is unchanged from the gallery.`,
      fix: 'Replace the sample text with your own, or remove the block.',
      at: Math.max(0, comparable(html).indexOf(comparable(sample))),
      needle: sample,
    }))
}

const withoutSpaces = (text: string): string => comparable(text).replace(/\s+/g, '')

const shortened = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text)
