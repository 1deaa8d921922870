/** Renders a text with markup, so that a sentence with a link or a time in it stays one text. */
import { Fragment, type ReactNode } from 'react'
import { parseRichText } from './parse-rich-text.ts'

/** `elements` renders each tag: `Read the <link>guide</link>` needs `link`, `Checked <time/>` needs `time`. */
export const RichText = ({
  text,
  elements,
}: {
  text: string
  elements: Record<string, (content: string) => ReactNode>
}) =>
  parseRichText(text).map(({ tag, content }, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text don't move.
    <Fragment key={i}>{tag ? elements[tag]?.(content) : content}</Fragment>
  ))
