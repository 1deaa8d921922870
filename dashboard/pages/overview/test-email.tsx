/** Sends an email to the signed-in user. Without a verified domain, it leads to the domains instead. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { AtSign, Send } from 'lucide-react'
import { projectPage } from '../../addresses.ts'
import { meQuery } from '../../data/api.ts'
import { useApi } from '../../data/project.ts'
import { useAction } from '../../data/use-action.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { useDefaultSender } from '../templates/use-default-sender.ts'
import { texts } from './texts.ts'

const { checklist: steps } = texts

export function useTestEmail() {
  const { projectId, api } = useApi()
  const queries = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const sender = useDefaultSender()
  const { run, busy, problem } = useAction()
  const send = async () => {
    const { testSubject: subject, testBody: body } = steps
    await run(api.emails.send({ to: me!.email, from: sender!, subject, body }))
    void queries.invalidateQueries({ queryKey: [projectId, 'emails'] })
  }
  return { to: me?.email, sender, send, busy, problem }
}

export function TestEmailButton({ test, isPrimary }: { test: ReturnType<typeof useTestEmail>; isPrimary: boolean }) {
  const { projectId } = useApi()
  if (test.sender === '')
    return (
      <LinkButton kind="primary" to={projectPage(projectId, 'domains')}>
        <AtSign aria-hidden /> {steps.addDomain}
      </LinkButton>
    )
  return (
    <Button
      kind={isPrimary ? 'primary' : 'plain'}
      busy={test.busy}
      disabled={!test.sender || !test.to}
      onClick={() => void test.send()}
    >
      <Send aria-hidden /> {steps.sendTest}
    </Button>
  )
}
