/** Topics: what contacts can choose to receive, in the order of the preference page. */
import { useQueryClient } from '@tanstack/react-query'
import { ArrowDown, ArrowUp, Newspaper, Pencil, Plus } from 'lucide-react'
import { useState } from 'react'
import { type Schemas, unwrap } from '../../data/api.ts'
import { useAdding, useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { formatNumber } from '../../figures/format.ts'
import { ListEmpty } from '../../lists/empty-state.tsx'
import { List } from '../../lists/list.tsx'
import { Problem } from '../../lists/problem.tsx'
import { ACTIONS, Cell, NumberCell, OnPhone, Row } from '../../lists/table.tsx'
import { useTopicList } from '../../mail/topics.tsx'
import { Page } from '../../shell/page.tsx'
import { sharedTexts } from '../../shell/texts.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button, IconButton, RemoveButton } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { TopicEditor } from './editor.tsx'
import { texts } from './texts.ts'

type Topic = Schemas['Topic']

export function TopicsPage() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const [editing, setEditing] = useState<Topic>()
  const [adding, setAdding] = useAdding()
  const [removing, setRemoving] = useState<Topic>()
  const list = useTopicList()
  const topics = list.data?.data ?? []
  const reload = () => queries.invalidateQueries({ queryKey: [projectId, 'topics'] })

  /** Numbers the topics in their new order. */
  const moveTopic = async (from: number, to: number) => {
    const moved = [...topics]
    moved.splice(to, 0, ...moved.splice(from, 1))
    for (const [position, { id, position: before }] of moved.entries()) {
      if (position !== before && !(await run(api.topics.update(id, { position })))) break
    }
    await reload()
  }

  const addButton = (
    <Button kind="primary" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> {texts.add}
    </Button>
  )
  return (
    <Page title={texts.title} lead={texts.lead} actions={addButton}>
      {(editing || adding) && (
        <TopicEditor
          {...(editing ? { topic: editing } : {})}
          onClose={() => (editing ? setEditing(undefined) : setAdding(false))}
          onSaved={() => void reload()}
        />
      )}
      <Confirm
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={texts.removeTitle}
        action={texts.removeAction}
        onConfirm={async () => {
          await unwrap(api.topics.delete(removing!.id))
          toast.done(texts.removed)
          void reload()
        }}
      >
        <p>{texts.removeEffect(removing?.name ?? '')}</p>
      </Confirm>
      {problem && <Problem error={problem} />}
      <List
        list={list}
        label={texts.title}
        head={[texts.column.name, { wide: texts.column.key }, { number: texts.column.subscribers }, { wide: ACTIONS }]}
        row={(topic) => {
          const place = topics.findIndex(({ id }) => id === topic.id)
          const actions = (
            <span className="flex items-center sm:justify-end">
              <IconButton
                label={texts.moveUp(topic.name)}
                disabled={busy || place === 0}
                onClick={() => void moveTopic(place, place - 1)}
              >
                <ArrowUp />
              </IconButton>
              <IconButton
                label={texts.moveDown(topic.name)}
                disabled={busy || place === topics.length - 1}
                onClick={() => void moveTopic(place, place + 1)}
              >
                <ArrowDown />
              </IconButton>
              <IconButton label={texts.edit(topic.name)} onClick={() => setEditing(topic)}>
                <Pencil />
              </IconButton>
              <RemoveButton
                label={texts.removeLabel(topic.name)}
                text={sharedTexts.delete}
                onClick={() => setRemoving(topic)}
              />
            </span>
          )
          return (
            <Row>
              <Cell>
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  <button
                    type="button"
                    className="text-start font-medium hover:underline"
                    onClick={() => setEditing(topic)}
                  >
                    {topic.name}
                  </button>
                  {!topic.defaultSubscribed && <Badge tone="info">{texts.optIn}</Badge>}
                  {!topic.isPublic && <Badge>{texts.hidden}</Badge>}
                </span>
                {topic.description && <p className="text-[0.8125rem] text-soft">{topic.description}</p>}
                <OnPhone>{actions}</OnPhone>
              </Cell>
              <Cell wide>
                <code>{topic.key}</code>
              </Cell>
              <NumberCell>{formatNumber(topic.subscriberCount)}</NumberCell>
              <Cell wide>{actions}</Cell>
            </Row>
          )
        }}
        filtered={false}
        empty={<ListEmpty icon={Newspaper} filtered={false} texts={texts} actions={addButton} />}
      />
    </Page>
  )
}
