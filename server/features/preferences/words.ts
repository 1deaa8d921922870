/**
 * The shape of what the preference pages say. `{project}` and `{email}` are filled in. The words avoid forms that
 * would have to guess whether the reader is a woman or a man.
 */
export interface PreferenceTexts {
  unsubscribe: { title: string; text: string; button: string }
  unsubscribed: { title: string; text: string; back: string }
  subscribe: { title: string; text: string; button: string }
  subscribed: { title: string; text: string }
  /** `never`: the state of someone who was neither subscribed nor unsubscribed. */
  manage: { title: string; question: string; never: string; save: string; saved: string }
  /** The two choices, each with what it means. */
  all: { name: string; means: string }
  necessary: { name: string; means: string }
  gone: { title: string; text: string }
  unknown: { title: string; text: string }
}
