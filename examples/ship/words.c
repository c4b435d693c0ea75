/* words FILE: how often each word comes, as lines "COUNT WORD". A word is a run of ASCII letters, in small letters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

/* The file's content, and a zero behind it. */
static char *content(const char *name, size_t *length) {
  size_t room = 1 << 16, n;
  char *text = malloc(room);
  FILE *file = fopen(name, "rb");
  if (!file || !text) fail(name);
  for (*length = 0; (n = fread(text + *length, 1, room - *length - 1, file)) > 0;) {
    *length += n;
    if (*length + 1 == room && !(text = realloc(text, room *= 2))) fail(name);
  }
  if (ferror(file)) fail(name);
  fclose(file);
  text[*length] = 0;
  return text;
}

int main(int argc, char **argv) {
  size_t length, words = 0;
  if (argc != 2) {
    fprintf(stderr, "usage: words FILE\n");
    return 2;
  }
  char *text = content(argv[1], &length);
  char **word = malloc((length / 2 + 1) * sizeof *word);
  if (!word) fail(argv[1]);

  for (size_t i = 0; i < length; i++) {
    char small = text[i] >= 'A' && text[i] <= 'Z' ? text[i] + ('a' - 'A') : text[i];
    text[i] = small >= 'a' && small <= 'z' ? small : 0;
    if (text[i] && (i == 0 || !text[i - 1])) word[words++] = text + i;
  }
  qsort(word, words, sizeof *word, by_text);
  for (size_t i = 0, next; i < words; i = next) {
    for (next = i + 1; next < words && strcmp(word[i], word[next]) == 0;) next++;
    printf("%zu %s\n", next - i, word[i]);
  }
  return fflush(stdout) == 0 ? 0 : 1;
}
