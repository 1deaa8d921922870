/** Which images of an email the frames of a preview may load. */

const REMOTE = /<img\b[^>]*\bsrc\s*=\s*["']?https?:|url\(\s*["']?https?:|background\s*=\s*["']?https?:/i

const SOURCE = /\s(?:src|srcset|background)\s*=\s*(?:"(https?:[^"]*)"|'(https?:[^']*)')/gi
/** Nothing else may get into a policy. */
const ORIGIN = /^https?:\/\/[a-z0-9.:[\]-]+$/i

/** Nothing is loaded for it: an image without its source keeps its size and description. */
export const withoutImages = (html: string): string => html.replace(SOURCE, '')

/** For the service at this URL. */
export function imageRules(serviceUrl: string) {
  /** Uploaded images are on our own server, and viewing one tells nobody anything. */
  const uploads = `${serviceUrl}/uploads/`

  function foreignOrigin(url: string): string | undefined {
    if (!URL.canParse(url)) return undefined
    const { origin } = new URL(url)
    return ORIGIN.test(origin) && origin !== new URL(serviceUrl).origin ? origin : undefined
  }

  return {
    uploads,

    hasRemoteImages: (html: string): boolean => REMOTE.test(html.replaceAll(uploads, '')),

    /**
     * The email for a frame that only measures it, and where its images come from. The requests of that frame have our
     * cookies, so it loads nothing of our own server but uploads, and other images only if the email shows them.
     */
    measurable: (html: string, images: boolean): { html: string; sources: string[] } => {
      const sources = new Set<string>()
      const kept = html.replace(SOURCE, (attribute: string, quoted?: string, single?: string) => {
        const url = (quoted ?? single ?? '').replaceAll('&amp;', '&')
        const source = url.startsWith(uploads) ? uploads : images ? foreignOrigin(url) : undefined
        if (source === undefined || attribute.trim().toLowerCase().startsWith('srcset')) return ''
        sources.add(source)
        return attribute
      })
      return { html: kept, sources: [...sources] }
    },
  }
}
