/**
 * The texts of the pages for recipients. `{project}` and `{email}` are replaced. The texts avoid grammatical forms that
 * depend on the recipient's gender.
 */
export interface PageTexts {
  unsubscribe: { title: string; text: string; button: string }
  unsubscribed: { title: string; text: string; back: string }
  subscribe: { title: string; text: string; button: string }
  subscribed: { title: string; text: string }
  /** `never`: the state of a contact who was neither subscribed nor unsubscribed. */
  manage: { title: string; question: string; never: string; save: string; saved: string }
  /** The two choices with their descriptions. */
  all: { name: string; description: string }
  necessary: { name: string; description: string }
  gone: { title: string; text: string }
  unknown: { title: string; text: string }
  /** The page of an email whose content is no longer stored, or was erased with its recipient's data. */
  emailGone: { title: string; text: string }
  emailErased: { title: string; text: string }
  /** Topics and a pause. `{topic}`, `{days}` and `{date}` are replaced too. Buttons are those of the other texts. */
  topic: {
    unsubscribe: { title: string; text: string }
    unsubscribed: { title: string; text: string }
    subscribe: { title: string; text: string }
    subscribed: { title: string; text: string }
    everything: string
    /** The heading of the list of topics. */
    topics: string
    pause: { title: string; text: string; button: string; paused: string; resume: string }
  }
  /** What a project can offer in addition. */
  settings: {
    title: string
    language: string
    timezone: string
    /** No time zone is stored. */
    unset: string
    download: { title: string; text: string; button: string }
  }
}
