/** One delivery: its request beside the response of each attempt, and a replay. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { unwrap } from '../../data/api.ts'
import { useApi, useCanManage } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Moment } from '../../figures/moment.tsx'
import { Problem } from '../../lists/problem.tsx'
import { Loading } from '../../shell/page.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { texts } from './texts.ts'

export function DeliveryDialog({ endpointId, id, onClose }: { endpointId: string; id: string; onClose(): void }) {
  const { projectId, api } = useApi()
  const canManage = useCanManage()
  const queries = useQueryClient()
  const toast = useToast()
  const { run, busy, problem } = useAction()
  const { data, error } = useQuery({
    queryKey: [projectId, 'webhooks', endpointId, 'delivery', id],
    queryFn: () => unwrap(api.webhookEndpoints.delivery(endpointId, id)),
  })
  const replayDelivery = async () => {
    if (!(await run(api.webhookEndpoints.replayDelivery(endpointId, id)))) return
    toast.done(texts.delivery.replayed)
    void queries.invalidateQueries({ queryKey: [projectId, 'webhooks', endpointId] })
    onClose()
  }
  return (
    <Dialog open wide onClose={onClose} title={texts.delivery.title(data?.eventType ?? '')}>
      {error && <Problem error={error} />}
      {!data && !error && <Loading />}
      {data && (
        <div className="grid gap-4 lg:grid-cols-2">
          <CodeBlock
            label={texts.delivery.request}
            title={texts.delivery.request}
            text={JSON.stringify(data.payload, null, 2)}
          />
          <div className="space-y-4">
            {data.attemptLog.map(({ at, status, durationMs, error: reason, response }, i) => (
              <div key={at} className="space-y-1 text-sm">
                <p className="font-medium">
                  {texts.delivery.attempt(i + 1)}, <Moment at={at} />
                </p>
                <p>{status === null ? reason : texts.delivery.result(status, durationMs)}</p>
                {status !== null && (
                  <CodeBlock label={texts.delivery.attempt(i + 1)} text={response || texts.delivery.emptyResponse} />
                )}
              </div>
            ))}
          </div>
        </div>
      )}
      {problem && <Problem error={problem} />}
      {canManage && (
        <DialogActions>
          <Button kind="primary" busy={busy} onClick={() => void replayDelivery()}>
            {texts.delivery.replay}
          </Button>
        </DialogActions>
      )}
    </Dialog>
  )
}
