/** Code examples in several languages, each with a copy button. The chosen language is remembered. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { projectPage } from '../../addresses.ts'
import { meQuery, rememberedSecret, SERVICE_URL, unwrap, useConfig } from '../../data/api.ts'
import { useApi, useProject } from '../../data/project.ts'
import { Link } from '../../links.tsx'
import { RichText } from '../../shell/rich-text.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type Example, exampleRequests, smtpExamples } from './example-requests.ts'
import { texts } from './texts.ts'

const LANGUAGE_KEY = 'posthorn.example-language'

export function ExampleTabs({ label, examples }: { label: string; examples: Example[] }) {
  const [chosen, setChosen] = useState(() => localStorage.getItem(LANGUAGE_KEY) ?? '')
  const open = examples.some(({ name }) => name === chosen) ? chosen : examples[0]!.name
  const chooseLanguage = (name: string) => {
    localStorage.setItem(LANGUAGE_KEY, name)
    setChosen(name)
  }
  return (
    <div className="overflow-hidden rounded-part border border-line">
      <Tabs
        label={label}
        open={open}
        onOpen={chooseLanguage}
        tabs={examples.map(({ name, text }) => ({
          name,
          label: name,
          content: <CodeBlock bare text={text} label={texts.examples.example(name)} />,
        }))}
      />
    </div>
  )
}

interface SendExamplesProps {
  /** The page of the keys needs no link to them. */
  isBesideKeys?: boolean
  /** The key to use instead of the secret key of the project. */
  secret?: string
}

/** The first email of this project, to the signed-in user. */
export function SendExamples({ isBesideKeys = false, ...given }: SendExamplesProps) {
  const project = useProject()
  const { api } = useApi()
  const { data: me } = useQuery(meQuery)
  const smtp = useConfig()?.smtp
  const { data: domains } = useQuery({
    queryKey: [project.id, 'domains'],
    queryFn: () => unwrap(api.domains.list(project.id)),
  })
  const domain = domains?.find((one) => one.verified)?.domain ?? 'your-domain.com'
  const secret = given.secret ?? rememberedSecret(project.id)
  const values = { baseUrl: SERVICE_URL, secret, from: `hello@${domain}`, to: me?.email ?? 'you@example.com' }
  const examples = exampleRequests(values)
  if (smtp) examples.push({ name: 'SMTP', text: smtpExamples({ ...smtp, secret })[0]!.text })
  return (
    <div className="min-w-0">
      <ExampleTabs label={texts.examples.label} examples={examples} />
      {!secret && <SecretHidden isBesideKeys={isBesideKeys} />}
    </div>
  )
}

function SecretHidden({ isBesideKeys }: { isBesideKeys: boolean }) {
  const project = useProject()
  return (
    <p className="mt-2 text-[0.8125rem] text-soft">
      <RichText
        text={isBesideKeys ? texts.examples.secretAbove : texts.examples.secretHidden}
        elements={{
          suffix: () => <code className="font-mono">{project.secretKeyHint.slice(-4)}</code>,
          link: (label) => (
            <Link to={projectPage(project.id, 'settings', { tab: 'keys' })} className="text-accent underline">
              {label}
            </Link>
          ),
        }}
      />
    </p>
  )
}
