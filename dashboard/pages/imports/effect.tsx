/** What an import will change: how many of the first rows are new contacts, and the first of them as they will be stored. */
import { useQuery } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { Cell, OnPhone, Row, Table } from '../../lists/table.tsx'
import { Card, Loading } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { dottedNames, statusColumns, type Target, unreadableSubscription } from './guess-mapping.ts'
import { texts } from './texts.ts'

const SHOWN = 5
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function ImportEffect({ targets, rows }: { targets: Target[]; rows: string[][] }) {
  const { projectId, api } = useApi()
  const emailAt = targets.findIndex(({ field }) => field === 'email')
  const addressOf = (row: string[]) => (row[emailAt] ?? '').toLowerCase()
  const addresses = [...new Set(rows.map(addressOf).filter((address) => ADDRESS.test(address)))]
  const invalid = rows.filter((row) => row.some((cell) => cell !== '') && !ADDRESS.test(addressOf(row))).length
  const { data: existing } = useQuery({
    queryKey: [projectId, 'contacts', 'lookup', addresses],
    queryFn: async () => {
      if (addresses.length === 0) return new Set<string>()
      return new Set((await unwrap(api.contacts.lookup(addresses))).found)
    },
  })
  const others = targets.flatMap((target, i) => (['', 'email'].includes(target.field) ? [] : [{ ...target, at: i }]))
  const unreadable = unreadableSubscription(targets, rows)
  if (!existing) return <Loading />
  return (
    <Card title={texts.effect.title} lead={texts.effect.lead(rows.length)} flush>
      <ul className="list-outside list-disc pr-5 pb-3 pl-9 text-sm marker:text-soft">
        <li>{texts.effect.created(addresses.length - existing.size)}</li>
        {existing.size > 0 && <li>{texts.effect.updated(existing.size)}</li>}
        {invalid > 0 && <li className="text-bad">{texts.effect.invalid(invalid)}</li>}
        {statusColumns(targets).map((column) => (
          <li key={column} className="font-medium text-bad wrap-anywhere">
            {texts.effect.status(column)}
          </li>
        ))}
        {unreadable !== undefined && (
          <li className="font-medium text-bad wrap-anywhere">{texts.effect.unreadable(unreadable)}</li>
        )}
        {dottedNames(targets).map((name) => (
          <li key={name} className="text-warn wrap-anywhere">
            {texts.effect.dotted(name)}
          </li>
        ))}
      </ul>
      <Table
        label={texts.effect.label}
        head={[texts.effect.result, nameOf('email'), ...others.map(({ field }) => ({ wide: nameOf(field) }))]}
      >
        {rows.slice(0, SHOWN).map((row, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: rows of a file don't move.
          <Row key={i}>
            <Cell className="max-sm:align-top">
              <Result address={addressOf(row)} existing={existing} />
            </Cell>
            <Cell className="max-sm:w-full max-sm:max-w-0 sm:max-w-72">
              <p className="truncate">{row[emailAt] || <span className="text-soft">{sharedTexts.missing}</span>}</p>
              <OnPhone>
                {others
                  .filter(({ at }) => row[at])
                  .map(({ field, at }) => (
                    <p key={field} className="truncate">
                      {texts.effect.valueOf(nameOf(field), row[at]!)}
                    </p>
                  ))}
              </OnPhone>
            </Cell>
            {others.map(({ field, at }) => (
              <Cell key={field} wide className="max-w-56 truncate">
                {row[at] || <span className="text-soft">{sharedTexts.missing}</span>}
              </Cell>
            ))}
          </Row>
        ))}
      </Table>
    </Card>
  )
}

const nameOf = (field: string) =>
  field.startsWith('data.') ? field.slice('data.'.length) : texts.mapping.choices[field as 'email' | 'subscribed']

function Result({ address, existing }: { address: string; existing: Set<string> }) {
  if (!ADDRESS.test(address)) return <Badge tone="bad">{texts.effect.skipped}</Badge>
  return existing.has(address) ? <Badge>{texts.effect.exists}</Badge> : <Badge tone="good">{texts.effect.isNew}</Badge>
}
