/** The type of a translation: the same texts as in English, and functions with the same values. */
export type Translation<English> = {
  [Key in keyof English]: English[Key] extends string
    ? string
    : English[Key] extends (...values: infer Values) => infer Text
      ? (...values: Values) => Translated<Text>
      : Translation<English[Key]>
}

type Translated<Text> = Text extends string ? string : Translation<Text>
