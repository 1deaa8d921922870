/** The Ed25519 key of a domain: adding one, whose record is then shown with the others, and deleting it. */
import { useQueryClient } from '@tanstack/react-query'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

type Domain = Schemas['Domain']

const T = texts.ed25519

/** If the mail provider signs, a domain has no key of ours. */
export const canHaveEd25519 = ({ ed25519, records }: Domain): boolean =>
  ed25519 || records.some(({ purpose, type }) => purpose === 'dkim' && type === 'TXT')

/** The records of both keys have the same purpose. */
export const recordKind = ({ purpose, value }: Domain['records'][number]): string =>
  purpose === 'dkim' && value.includes('k=ed25519') ? 'ed25519' : purpose

interface Ed25519DialogProps {
  domain: Domain
  open: boolean
  onClose(): void
  onAdded(): void
}

export function Ed25519Dialog({ domain: { id, domain, ed25519 }, open, onClose, onAdded }: Ed25519DialogProps) {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const change = async () => {
    await unwrap(api.domains.update(id, { ed25519: !ed25519 }))
    toast.done(ed25519 ? T.removed : T.added)
    if (!ed25519) onAdded()
    void queries.invalidateQueries({ queryKey: [projectId, 'domains'] })
  }
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={ed25519 ? T.removeTitle(domain) : T.addTitle(domain)}
      action={ed25519 ? T.remove : T.add}
      harmless={!ed25519}
      onConfirm={change}
    >
      <p>{ed25519 ? T.removeEffect : T.addEffect}</p>
    </Confirm>
  )
}
