/** The language of the dashboard, for this account in every browser. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { meQuery, userApi } from '../../../data/api.ts'
import { useAction } from '../../../data/use-action.ts'
import { LANGUAGES, type Language } from '../../../languages/language.ts'
import { Problem } from '../../../lists/problem.tsx'
import { Card } from '../../../shell/page.tsx'
import { Select } from '../../../ui/field.tsx'
import { texts } from '../texts.ts'

export function LanguageChoice() {
  const { data: me } = useQuery(meQuery)
  const client = useQueryClient()
  const { run, busy, problem } = useAction()
  if (!me) return null
  const choose = async (language: Language | null) => {
    const done = await run(userApi.auth.updateMe({ language }))
    if (done) client.setQueryData(meQuery.queryKey, done.data)
  }
  return (
    <Card title={texts.language.title} lead={texts.language.lead}>
      <div className="max-w-lg space-y-4">
        <Select
          label={texts.language.label}
          value={me.language ?? ''}
          options={{ '': texts.language.browser, ...LANGUAGES }}
          disabled={busy}
          onChange={({ target }) => void choose((target.value || null) as Language | null)}
        />
        {problem && <Problem error={problem} />}
      </div>
    </Card>
  )
}
