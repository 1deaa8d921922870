/**
 * Names and descriptions of the gallery in the language of the dashboard. The service has them in English; the other languages have
 * them by slug.
 */
import { translated } from '../../../languages/language.ts'

export type GalleryTexts = Record<string, { name: string; description: string }>

export const galleryTexts: GalleryTexts = translated('galleryEntry', {})
