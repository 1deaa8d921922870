/** API keys with scopes: the list, and dialogs to create, change, replace and revoke them. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound, Pencil, RefreshCw } from 'lucide-react'
import { useState } from 'react'
import { unwrap } from '../../../data/api.ts'
import { useApi, useCanManage } from '../../../data/project.ts'
import { Moment } from '../../../figures/moment.tsx'
import { Empty } from '../../../lists/empty-state.tsx'
import { Problem } from '../../../lists/problem.tsx'
import { ACTIONS, Cell, OnPhone, Row, Table } from '../../../lists/table.tsx'
import { Card, Loading } from '../../../shell/page.tsx'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { MoreActions } from '../../../ui/more-actions.tsx'
import { useToast } from '../../../ui/toast.tsx'
import { texts } from '../texts.ts'
import { Countdown } from './countdown.tsx'
import { KeyDialog } from './key-dialog.tsx'
import { type ApiKey, presetOf, type ShownApiKey } from './key-scopes.ts'
import { ReplaceKey } from './replace-key.tsx'
import { ShownKey } from './shown-key.tsx'

const T = texts.apiKeys

/** A project can't have more. */
const LIMIT = 100

type Open = { what: 'create' } | { what: 'edit' | 'replace'; key: ApiKey } | { what: 'shown'; key: ShownApiKey }

export function ApiKeys() {
  const { projectId, api } = useApi()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const [open, setOpen] = useState<Open>()
  const queryKey = [projectId, 'api-keys']
  const { data, error } = useQuery({ queryKey, queryFn: () => unwrap(api.apiKeys.list({ limit: LIMIT })) })
  const reload = () => void queries.invalidateQueries({ queryKey })
  const close = () => setOpen(undefined)
  const showKey = (key: ShownApiKey) => {
    reload()
    setOpen({ what: 'shown', key })
  }
  const createButton = canManage && (
    <Button kind="primary" onClick={() => setOpen({ what: 'create' })}>
      {T.create}
    </Button>
  )
  return (
    <Card title={T.title} lead={T.lead} flush actions={data && data.data.length > 0 && createButton}>
      {error && (
        <div className="px-5 pb-5">
          <Problem error={error} />
        </div>
      )}
      {!data && !error && <Loading />}
      {data?.data.length === 0 && (
        <Empty icon={KeyRound} title={T.emptyTitle} actions={createButton}>
          {T.empty}
        </Empty>
      )}
      {data && data.data.length > 0 && (
        <Table label={T.title} head={[T.column.name, { wide: T.column.lastUse }, { wide: T.column.expiry }, ACTIONS]}>
          {data.data.map((key) => (
            <KeyRow
              key={key.id}
              apiKey={key}
              onEdit={() => setOpen({ what: 'edit', key })}
              onReplace={() => setOpen({ what: 'replace', key })}
              onChange={reload}
            />
          ))}
        </Table>
      )}
      {(open?.what === 'create' || open?.what === 'edit') && (
        <KeyDialog
          apiKey={open.what === 'edit' ? open.key : undefined}
          onClose={close}
          onCreated={showKey}
          onChanged={() => {
            reload()
            close()
          }}
        />
      )}
      {open?.what === 'replace' && <ReplaceKey apiKey={open.key} onClose={close} onReplaced={showKey} />}
      {open?.what === 'shown' && <ShownKey apiKey={open.key} onClose={close} />}
    </Card>
  )
}

interface KeyRowProps {
  apiKey: ApiKey
  onEdit(): void
  onReplace(): void
  onChange(): void
}

function KeyRow({ apiKey, onEdit, onReplace, onChange }: KeyRowProps) {
  const { api } = useApi()
  const toast = useToast()
  const canManage = useCanManage()
  const { name, prefix, scopes, expiresAt, previousKeyExpiresAt, test } = apiKey
  const preset = presetOf(scopes)
  const isExpired = expiresAt !== null && new Date(expiresAt) <= new Date()
  const revokeKey = async () => {
    await unwrap(api.apiKeys.delete(apiKey.id))
    toast.done(T.revoked(name))
    onChange()
  }
  return (
    <Row muted={isExpired}>
      <Cell className="w-full max-w-0 min-w-40 align-top">
        <span className="font-medium wrap-anywhere">{name}</span>{' '}
        <code className="font-mono text-[0.8125rem] text-soft">{prefix}…</code> {test && <Badge>{T.testBadge}</Badge>}
        {isExpired && <Badge tone="warn">{T.expired}</Badge>}
        <p className="text-[0.8125rem] text-soft wrap-anywhere">
          {preset === 'own' ? scopes.join(', ') : T.presets[preset].title}
        </p>
        {apiKey.allowedIps.length > 0 && (
          <p className="text-[0.8125rem] text-soft wrap-anywhere">{T.onlyFrom(apiKey.allowedIps.join(', '))}</p>
        )}
        {previousKeyExpiresAt && (
          <p className="text-[0.8125rem] text-warn">
            <Countdown until={previousKeyExpiresAt} text={T.oldKeyWorks} />
          </p>
        )}
        <OnPhone>
          <LastUse apiKey={apiKey} />
        </OnPhone>
      </Cell>
      <Cell wide className="align-top whitespace-nowrap text-soft">
        <LastUse apiKey={apiKey} />
      </Cell>
      <Cell wide className="align-top whitespace-nowrap text-soft">
        {expiresAt ? <Moment at={expiresAt} /> : T.never}
      </Cell>
      <Cell className="align-top">
        {canManage && (
          <MoreActions
            label={T.actionsOf(name)}
            actions={[
              { icon: Pencil, label: T.edit, onSelect: onEdit },
              ...(isExpired ? [] : [{ icon: RefreshCw, label: T.replace, onSelect: onReplace }]),
            ]}
            deleteTexts={{ title: T.revokeTitle(name), action: T.revoke, entry: T.revoke }}
            name={name}
            onDelete={revokeKey}
          >
            {T.revokeEffect}
          </MoreActions>
        )}
      </Cell>
    </Row>
  )
}

function LastUse({ apiKey: { lastUsedAt, lastUsedIp } }: { apiKey: ApiKey }) {
  if (!lastUsedAt) return T.neverUsed
  return (
    <>
      <span className="block first-letter:uppercase">
        <Moment at={lastUsedAt} relative />
      </span>
      {lastUsedIp && <span className="block text-[0.8125rem]">{T.from(lastUsedIp)}</span>}
    </>
  )
}
