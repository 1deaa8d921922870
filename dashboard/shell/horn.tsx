/** The logo. */
import { sharedTexts } from './texts.ts'

/** A post horn: the coil, the tube and the bell. */
export const Horn = ({ className = 'size-6' }: { className?: string }) => (
  <svg
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth="1.8"
    strokeLinecap="round"
    strokeLinejoin="round"
    className={`text-accent ${className}`}
    aria-hidden="true"
  >
    <circle cx="9.5" cy="13.5" r="6.5" />
    <path fill="currentColor" d="M2 7h8c4.5 0 8.5-1.300 12-5v10c-3.500-3.700-7.500-5-12-5" />
  </svg>
)

/** Above pages outside a project. */
export const ProductMark = () => (
  <p className="mb-8 flex items-center justify-center gap-2.5 text-lg font-semibold tracking-tight">
    <Horn className="size-7" /> {sharedTexts.productName}
  </p>
)
