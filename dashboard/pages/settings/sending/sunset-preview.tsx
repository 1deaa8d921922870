/** How many contacts the sunset rule would stop, while it is edited. */
import { useQuery } from '@tanstack/react-query'
import { projectPage } from '../../../addresses.ts'
import { unwrap } from '../../../data/api.ts'
import { useApi } from '../../../data/project.ts'
import { useDebounced } from '../../../data/use-debounced.ts'
import { Link } from '../../../links.tsx'
import { RichText } from '../../../shell/rich-text.tsx'
import { texts } from '../texts.ts'

const T = texts.sending.sunset

const DEBOUNCE_MS = 500

export function SunsetPreview({ fields }: { fields: Record<string, string> }) {
  const { projectId, api } = useApi()
  const rule = useDebounced(fields, DEBOUNCE_MS)
  const [days, emails] = [Number(rule.days), Number(rule.emails)]
  const { data, error } = useQuery({
    queryKey: [projectId, 'contacts', 'sunset-preview', days, emails],
    queryFn: () => unwrap(api.contacts.previewSunset({ days, emails })),
    retry: false,
  })
  if (error) return null
  return (
    <div className="rounded-part bg-panel px-4 py-3 text-sm">
      <p aria-live="polite">
        <RichText
          text={data ? (data.count === null ? T.tooLong : T.stops(data.count)) : T.counting}
          elements={{ strong: (text) => <strong className="font-semibold">{text}</strong> }}
        />
      </p>
      <p className="mt-1 text-soft">
        <RichText
          text={T.advice}
          elements={{
            link: (text) => (
              <Link to={projectPage(projectId, 'templates/new', { gallery: 'stay' })} className="underline">
                {text}
              </Link>
            ),
          }}
        />
      </p>
    </div>
  )
}
