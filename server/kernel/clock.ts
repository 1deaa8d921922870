/** Where "now" comes from. Everything that needs the time takes a clock, so tests can turn the hands. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
