/** An amount as Stripe counts it, in the smallest unit of its currency: not all have hundredths. */
export function moneyWords(amount: number, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}
