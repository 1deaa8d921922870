/** The feed of a campaign: its address, and what is there now. */
import { useState } from 'react'
import type { Schemas } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Problem } from '../../lists/problem.tsx'
import { Card } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { fieldError, Input, NumberInput, Select } from '../../ui/field.tsx'
import { texts } from './texts.ts'

type Feed = Schemas['Campaign']['feed']

const T = texts.feed
const START = { url: '', maxItems: 10 }

interface FeedProps {
  feed: Feed
  error: ReturnType<typeof useAction>['error']
  onChange(change: { feed: Feed }): void
}

export function FeedFields({ feed, error, onChange }: FeedProps) {
  const setFormat = (format: string) =>
    onChange({ feed: format === 'rss' || format === 'json' ? { ...START, ...feed, format } : null })
  return (
    <Card title={T.title} lead={T.lead}>
      <div className="space-y-4">
        <Select
          label={T.format}
          className="max-w-sm"
          value={feed?.format ?? ''}
          options={T.formats}
          onChange={(event) => setFormat(event.target.value)}
        />
        {feed && (
          <div className="grid gap-4 sm:grid-cols-[1fr_auto]">
            <Input
              label={T.url}
              type="url"
              maxLength={2_000}
              value={feed.url}
              hint={T.hints[feed.format]}
              error={fieldError(error, 'feed.url')}
              onChange={(event) => onChange({ feed: { ...feed, url: event.target.value } })}
            />
            {feed.format === 'rss' && (
              <NumberInput
                label={T.maxItems}
                min={1}
                max={50}
                value={feed.maxItems}
                error={fieldError(error, 'feed.maxItems')}
                onChange={(maxItems) => onChange({ feed: { ...feed, maxItems: maxItems ?? 1 } })}
              />
            )}
          </div>
        )}
        {feed?.url && <FeedCheck feed={feed} />}
      </div>
    </Card>
  )
}

function FeedCheck({ feed }: { feed: NonNullable<Feed> }) {
  const { api } = useApi()
  const { run, busy, problem } = useAction()
  const [content, setContent] = useState<unknown>()
  const check = async () => {
    setContent(undefined)
    const found = await run(api.campaigns.previewFeed(feed))
    if (found) setContent(found.data.feed)
  }
  return (
    <div className="space-y-3">
      <Button busy={busy} onClick={() => void check()}>
        {T.check}
      </Button>
      {problem && <Problem error={problem} />}
      {content !== undefined && (
        <pre className="max-h-64 overflow-auto rounded-part bg-panel px-4 py-3 text-xs">
          {JSON.stringify(content, null, 2)}
        </pre>
      )}
    </div>
  )
}
