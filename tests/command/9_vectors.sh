# gradus vectors: learns, writes, reads back and shows word vectors.

for i in $(seq 40); do echo "the red fox sees the hen . the hen sees the red fox ."; done >words.txt
succeeds 'learn vectors' vectors --text words.txt --channels 5 --min_count 2 --epochs 3 --out words.vec
says 'how many' err 'words.vec: 6 words of 5 numbers'
holds 'in the format' test "$(awk '{print NF}' words.vec | sort -u)" = 6
succeeds 'look at them' vectors --from words.vec --near fox --count 2
holds 'two neighbours' test "$(awk '{print NF}' out)" = 3
succeeds 'learn and look' vectors --text words.txt --channels 5 --min_count 2 --epochs 3 --near fox --count 2
printf '2 3\na 1 2 3 \nb 4 5 6 \n' >word2vec.txt
succeeds 'what word2vec writes' vectors --from word2vec.txt --near a
holds 'has two words and no header' test "$(cat out)" = 'a: b'
holds 'nothing to remark' test ! -s err
printf '\xef\xbb\xbfa 1 2\na 3 4\nb 3 4\n' >twice.txt
succeeds 'a word that occurs twice, behind a byte order mark' vectors --from twice.txt --near a
holds 'is no neighbour of itself' test "$(cat out)" = 'a: b'
says 'is said with its line' err "^gradus: twice.txt: line 2: the word 'a' occurs twice; .* \\(1 such line\\)$"
fails 'a word without vector' 2 '--near=wolf: this word has no vector' vectors --from words.vec --near wolf
fails 'nothing to do' 2 'needs --out or --near (add --out FILE to save the vectors, or --near WORD to list words)' vectors --text words.txt
fails 'read and learn' 2 '--from: cannot be combined' vectors --from words.vec --text words.txt --near fox
fails 'too rare' 2 'needs at least 2 words that occur' vectors --text words.txt --min_count 1000 --out rare.vec
fails 'no such file' 1 'nothing.vec' vectors --from nothing.vec --near fox
fails 'no vectors' 1 'words.txt' vectors --from words.txt --near fox
holds 'nothing was written' test ! -e rare.vec
