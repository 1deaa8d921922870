export declare const NOUNS: string[]
