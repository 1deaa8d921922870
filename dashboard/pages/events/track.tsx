/** How to track an event: a request with the project's public key. */
import { Code } from 'lucide-react'
import { useState } from 'react'
import { SERVICE_URL } from '../../data/api.ts'
import { useProject } from '../../data/project.ts'
import { RichText } from '../../shell/rich-text.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { trackExample } from '../overview/example-requests.ts'
import { texts } from './texts.ts'

export function TrackExample() {
  const { publicKey } = useProject()
  return <CodeBlock text={trackExample({ baseUrl: SERVICE_URL, publicKey })} label={texts.example} />
}

export function TrackDialog() {
  const { publicKey } = useProject()
  const [open, setOpen] = useState(false)
  const [isSaved, setSaved] = useState(false)
  return (
    <>
      <Button kind="primary" onClick={() => setOpen(true)}>
        <Code aria-hidden /> {texts.track.open}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={texts.track.open}
        lead={texts.track.lead}
        wide
        disposable
      >
        <CodeBlock
          text={trackExample({ baseUrl: SERVICE_URL, publicKey, property: isSaved ? 'contact' : 'event' })}
          label={texts.example}
        />
        <div className="mt-4">
          <Checkbox
            label={texts.track.save}
            hint={isSaved ? texts.track.saved : texts.track.notSaved}
            checked={isSaved}
            onChange={(event) => setSaved(event.target.checked)}
          />
        </div>
        <p className="mt-3 text-sm text-soft">
          <RichText
            text={texts.track.more}
            elements={{
              docs: (label) => (
                <a href={`${SERVICE_URL}/docs`} target="_blank" rel="noreferrer" className="text-accent underline">
                  {label}
                </a>
              ),
            }}
          />
        </p>
      </Dialog>
    </>
  )
}
