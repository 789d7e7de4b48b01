# SPDX-License-Identifier: Apache-2.0
# The commands of README.md on a bare Debian: docker build -t memtwin . && docker run memtwin
FROM debian:12
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make
COPY . /memtwin
WORKDIR /memtwin
RUN make
CMD ["make", "run"]
