/** Names that only the service itself records. */
const RESERVED = /^(email\..*|contact\.(subscribed|unsubscribed)|segment\..*\.(entry|exit))$/is

export const isReservedEvent = (name: string): boolean => RESERVED.test(name)
