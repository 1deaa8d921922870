/** The source of the current time. Code that needs the time is given a clock, so that tests can set it. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
