/** A domain or the like, which breaks after dots if it has to. */
import { Fragment } from 'react'

export const DottedName = ({ name }: { name: string }) =>
  name.split('.').map((label, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: labels don't move.
    <Fragment key={i}>
      {i > 0 && (
        <>
          .<wbr />
        </>
      )}
      {label}
    </Fragment>
  ))
